import type { Lookup } from "../../model/notify/news.ts";
import type { Subject } from "../../model/notify/notice.ts";
import { withoutSecrets } from "../../model/notify/redact.ts";
import { agentKind } from "../agent-kind.ts";
import type { Store } from "../ports.ts";

/** What notices say about tasks and terminals, by the records. */
export function lookupIn(store: Store): Lookup {
  const task = (id: number): Subject | undefined => {
    const found = store.task(id);
    if (!found) return undefined;
    const { slug, text, root, agent, terminal } = found;
    return {
      ...{ task: id, name: slug, project: root, agent },
      // A slug is the beginning of the text in small letters, where no secret looks like one.
      ...shownAs(`task ${id}`, `${slug}\n${text.trimStart().slice(0, 200)}`),
      ...(terminal === undefined ? {} : { terminal }),
    };
  };
  return {
    task,
    terminal(id) {
      const found = store.terminal(id);
      if (!found) return undefined;
      const ofTask = found.task === undefined ? undefined : task(found.task);
      if (ofTask) return ofTask;
      const agent = agentKind(store, found);
      return {
        ...{ terminal: id, name: found.name, project: found.cwd },
        ...shownAs(`terminal ${id}`, found.name),
        ...(agent === undefined ? {} : { agent }),
      };
    },
  };
}

function shownAs(otherwise: string, words: string): Pick<Subject, "shown"> {
  return withoutSecrets(words).isChanged ? { shown: otherwise } : {};
}
