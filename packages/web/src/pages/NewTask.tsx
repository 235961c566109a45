import { rowsOf } from "@paneward/sdk/view";
import { useEffect, useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { view } from "../state/live.ts";
import { showError, showMessage } from "../state/notices.ts";
import { go } from "../state/route.ts";
import { useValue } from "../state/value.ts";
import { Act } from "../ui/Act.tsx";
import { attachFiles } from "./AttachFile.tsx";
import { PickedFiles } from "./PickedFiles.tsx";
import { withFiles } from "./prompt-files.ts";

/** A new task: text, agent, base and files. */
export function NewTask() {
  const roots = useValue(view, (shown) =>
    [
      ...new Set(
        rowsOf(shown)
          .filter(({ kind }) => kind === "task")
          .map(({ folder }) => folder),
      ),
    ].join("\n"),
  );
  const form = useRef<HTMLFormElement>(null);
  const [progress, setProgress] = useState("");
  const [picked, setPicked] = useState<readonly File[]>([]);
  const [agents, setAgents] = useState<readonly string[]>([]);
  useEffect(() => void client.config({}).then((known) => setAgents(known.agents), showError), []);
  const create = async (draft: boolean) => {
    const fields = new FormData(form.current ?? undefined);
    const field = (name: string) => String(fields.get(name) ?? "").trim();
    const [root, text, agent, base] = [field("root"), field("text"), field("agent"), field("base")];
    if (root === "" || text === "") return showMessage("Enter a folder and what to do");
    setProgress("Creating branch and worktree…");
    try {
      const files = field("files");
      const task = await client.new({
        root,
        text: withFiles(text, files),
        // Files belong to a task: it is there before it has them, and starts when it does.
        draft: draft || picked.length > 0,
        ...(agent ? { agent } : {}),
        ...(base ? { base } : {}),
      });
      if (picked.length > 0) {
        setProgress("Attaching files…");
        await handOver(task.id, (paths) => withFiles(text, [files, ...paths].join("\n")), draft);
      }
      go("task", String(task.id));
    } catch (error) {
      showError(error);
    } finally {
      setProgress("");
    }
  };
  const handOver = async (task: number, textWith: (paths: readonly string[]) => string, draft: boolean) => {
    const id = String(task);
    const paths: string[] = [];
    try {
      await attachFiles(id, picked, (path) => paths.push(path));
      await client.edit({ id, text: textWith(paths) });
      if (!draft) await client.start({ id });
    } catch (error) {
      showMessage("It is kept as a draft");
      showError(error);
    }
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    setPicked([...picked, ...files]);
  };
  const [first = ""] = roots.split("\n");
  return (
    <main class="form">
      <h1>New task</h1>
      <form ref={form} onSubmit={(event) => event.preventDefault()}>
        <label>
          What to do
          <textarea
            name="text"
            rows={8}
            required
            placeholder="Fix the login test that fails on Mondays"
            onPaste={paste}
          />
        </label>
        <label>
          Repository
          <input name="root" list="roots" required defaultValue={first} placeholder="/home/you/project" />
        </label>
        <datalist id="roots">
          {roots.split("\n").map((root) => (
            <option key={root} value={root} />
          ))}
        </datalist>
        <div class="two">
          <label>
            Agent
            <input name="agent" list="agents" placeholder="as configured" />
          </label>
          <datalist id="agents">
            {agents.map((agent) => (
              <option key={agent} value={agent} />
            ))}
          </datalist>
          <label>
            Base branch
            <input name="base" placeholder="the branch that is checked out" />
          </label>
        </div>
        <label>
          Files to look at first, one per line
          <textarea name="files" rows={2} placeholder="src/login.ts" />
        </label>
        <PickedFiles files={picked} onChange={setPicked} />
        <div class="actions">
          <Act kind="main" act={() => create(false)}>
            Start
          </Act>
          <Act act={() => create(true)}>Keep as draft</Act>
          <Act act={() => client.undo({})} done="Restored the last removed task">
            Undo last removal
          </Act>
        </div>
        <p class="quiet" role="status">
          {progress}
        </p>
      </form>
    </main>
  );
}
