import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
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
  const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
  if (text !== undefined && text.length < maxLength) onChange(name, text);
}

const maxLength = 65_536;
