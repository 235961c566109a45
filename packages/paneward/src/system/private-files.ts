import { constants, existsSync } from "node:fs";
import { access, lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import type { Files } from "../runtime/ports.ts";

// Something else may be at a file's place: opening a FIFO waits for ever without this.
const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NONBLOCK } = constants;

/** Files that only their owner can read. */
export const privateFiles: Files = {
  async writePrivate(path, content) {
    await makeFolder(dirname(path));
    await writeFile(path, content, { mode: 0o600, flag: O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK });
  },
  async writeNew(path, content) {
    await makeFolder(dirname(path));
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
    await makeFolder(dirname(path));
    await replaceWhole(path, text, { beside: `${path}.${process.pid}.new`, mode: 0o600 });
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

/** With those above it. Node says that one is missing where none can be made; the last one that is there says why. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") await access(lastThere(folder), constants.W_OK);
    throw error;
  }
}

function lastThere(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : lastThere(dirname(folder));
}

interface Replacing {
  /** A place in the same folder, where the new file is written. */
  readonly beside: string;
  readonly mode: number;
  /** `wx` fails where something is at that place already. */
  readonly flag?: "w" | "wx";
  /** Work on the new file before it takes the place of the old one. */
  readonly prepare?: (beside: string) => Promise<void>;
}

/** Replaces a file in one step: readers find all of the old one or all of the new one. */
export async function replaceWhole(
  path: string,
  content: string | Uint8Array,
  { beside, mode, flag = "w", prepare }: Replacing,
): Promise<void> {
  try {
    const file = await open(beside, flag, mode);
    try {
      await naming(path, async () => {
        await file.writeFile(content);
        await file.sync();
      });
    } finally {
      await file.close();
    }
    await prepare?.(beside);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** What is written through an open file fails without its name. */
async function naming<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && "code" in error && !("path" in error) ? Object.assign(error, { path }) : error;
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
