import type { Places } from "@paneward/sdk";
import { hookedAgents } from "../agents/registry.ts";
import { installHooks, planHooks, uninstallHooks } from "../hooks/install.ts";
import { backupOf, forgetBackup, removeUnfinished } from "../hooks/settings-file.ts";
import { fileBack } from "./back.ts";
import { bytesOf } from "./files.ts";
import type { Step } from "./step.ts";

interface Request {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Pick<Places, "home" | "socket">;
}

/** The hooks of an agent, by the name that people type: `claude-code`. Made and removed as `paneward hooks` does. */
export function hooksStep(agent: string, { env, places }: Request): Step {
  const name = hookedAgents[agent]?.kind ?? agent;
  return {
    name: `hooks ${agent}`,
    async look() {
      const request = { agent, settings: undefined, env, places };
      const { file, text, wanted, events, isFirst, advice } = await planHooks(request);
      if (wanted === text) return { state: "in place", detail: `${file}, ${events.length} events` };
      const before = text === undefined ? undefined : Buffer.from(text);
      const what = isFirst ? `hooks for ${events.length} events` : "the hooks of this version in place of the old ones";
      const kept = before === undefined ? "a new file" : "nothing else in it changes, and a copy is kept beside it";
      return {
        state: isFirst ? "missing" : "damaged",
        offer: {
          why: `${name} reports its state also when you start it yourself`,
          says: [`${file}: ${what}; ${kept}`],
          edits: [{ path: file, before, after: Buffer.from(wanted) }],
          advice,
          // Beside the settings: the script that the hooks run, and the copy.
          write: async () => void (await installHooks(request)),
        },
      };
    },
    async back({ file }) {
      if (!file) throw new Error("hooks are made in a file");
      const back = await fileBack(file, { isIn: (text) => text.includes(": paneward") }, "");
      if (back.kind !== "left") {
        const perform = async () => {
          await back.perform();
          await forgetCopy(file.path);
        };
        return { ...back, perform };
      }
      const says = `${file.path}: has changed since; only our hooks are removed, and the copy beside it is kept`;
      const perform = async () => void (await uninstallHooks({ agent, settings: file.path, env, places }));
      return { kind: "removed our part", says, perform };
    },
  };
}

/** The copy beside the settings, once they are what it holds. */
async function forgetCopy(path: string): Promise<void> {
  const copy = backupOf(path);
  await removeUnfinished(copy);
  const kept = await bytesOf(copy);
  if (kept && (await bytesOf(path))?.equals(kept)) await forgetBackup(path);
}
