import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StateFiles } from "../runtime/ports.ts";

/** Files that programs of the user's write about themselves: followed by the file system's own news. */
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
        // The folder comes with the first agent that writes there; the next look tries again.
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
  if (text !== undefined && text.length < longest) onChange(name, text);
}

const longest = 65_536;
