import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import type { Files } from "../runtime/ports.ts";

// Something else may be at a file's place: opening a FIFO waits for ever without this.
const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NONBLOCK } = constants;

/** Files that only their owner can read. */
export const privateFiles: Files = {
  async writePrivate(path, content) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600, flag: O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK });
  },
  async writeNew(path, content) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      await file.writeFile(content);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
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
    return (await readForeign(path, { maxBytes: 64 * 1_048_576, followLinks: true }))?.toString("utf8");
  },
  async folders(path) {
    const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
    const found = inside.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
    return Promise.all(found.map(async (folder) => ({ path: folder, changedAt: (await stat(folder)).mtimeMs })));
  },
  async inside(path) {
    const names = await readdir(path).catch(emptyIfMissing);
    const bytesOf = async (name: string) => (await lstat(join(path, name)).catch(() => undefined))?.size ?? 0;
    return Promise.all(names.map(async (name) => ({ name, bytes: await bytesOf(name) })));
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
};

function emptyIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
