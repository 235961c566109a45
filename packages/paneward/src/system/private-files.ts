import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Files } from "../runtime/ports.ts";

/** Files that only their owner can read. */
export const privateFiles: Files = {
  async writePrivate(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
  },
  async replacePrivate(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const beside = `${path}.${process.pid}.new`;
    try {
      const file = await open(beside, "w", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  },
  async text(path) {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  },
  async folders(path) {
    const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
    const found = inside.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
    return Promise.all(found.map(async (folder) => ({ path: folder, changedAt: (await stat(folder)).mtimeMs })));
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
};
