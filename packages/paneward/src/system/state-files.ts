import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import type { StateFiles } from "../runtime/ports.ts";

/** State files that the user's programs write, followed by file system events. */
export const stateFiles: StateFiles = {
  follow(folder, onChange) {
    let watcher: FSWatcher | undefined;
    let stopped = false;
    const begin = () => {
      if (watcher || stopped) return;
      try {
        watcher = watch(folder, { persistent: false }, (_, name) => {
          if (name !== null) read(folder, name, onChange);
        });
        watcher.on("error", () => {
          watcher?.close();
          watcher = undefined;
        });
      } catch {
        // The first agent creates the folder; `lookAgain` retries.
      }
    };
    begin();
    return {
      async lookAgain() {
        begin();
        const names = await readdir(folder).catch(() => []);
        await Promise.all(names.map((name) => read(folder, name, onChange)));
      },
      stop() {
        stopped = true;
        watcher?.close();
      },
    };
  },
};

async function read(folder: string, name: string, onChange: (name: string, text: string) => void): Promise<void> {
  if (!/^\d+\.json$/.test(name)) return;
  const bytes = await readForeign(join(folder, name), { maxBytes }).catch(() => undefined);
  if (bytes) onChange(name, bytes.toString("utf8"));
}

const maxBytes = 65_536;
