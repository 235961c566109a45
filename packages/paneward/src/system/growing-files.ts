import { watch } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openForeign } from "@paneward/sdk/node/files";
import type { FoundFile, GrowingFiles } from "../runtime/ports.ts";

/** Records that the user's agents write. */
export const growingFiles: GrowingFiles = {
  async find(pattern) {
    const found: FoundFile[] = [];
    for await (const path of matching(pattern)) {
      const stats = await lstat(path).catch(() => undefined);
      if (stats?.isFile()) found.push({ path, changedAt: stats.mtimeMs });
      if (found.length >= maxFound) break;
    }
    return found;
  },

  async read(path, plan) {
    const file = await openForeign(path).catch(() => undefined);
    if (!file) return undefined;
    try {
      // A file system may give the number of a file that was removed to the next one.
      const { dev, ino, size, birthtimeNs } = await file.stat({ bigint: true });
      const wanted = plan({ file: `${dev} ${ino} ${birthtimeNs}`, size: Number(size) });
      if (!wanted) return undefined;
      const buffer = Buffer.alloc(wanted.length);
      let read = 0;
      while (read < buffer.length) {
        const { bytesRead } = await file.read(buffer, read, buffer.length - read, wanted.offset + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return buffer.subarray(0, read);
    } finally {
      await file.close();
    }
  },

  watch(folder, onChange) {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", () => watcher.close());
      return { stop: () => watcher.close() };
    } catch {
      // It is not there, or nothing more can be watched: its reader looks now and then anyway.
      return { stop() {} };
    }
  },
};

/** Names with a date in them sort by it, so the last ones come first. */
async function* matching(pattern: string): AsyncGenerator<string> {
  const star = pattern.indexOf("*");
  if (star < 0) return yield pattern;
  const folder = dirname(pattern.slice(0, star + 1));
  const [part = "", ...rest] = pattern.slice(folder.length).replace(/^\/+/, "").split("/");
  const fits = expressionOf(part);
  const names = await readdir(folder).catch(() => []);
  for (const name of names
    .filter((one) => fits.test(one))
    .sort()
    .reverse()) {
    yield* matching([join(folder, name), ...rest].join("/"));
  }
}

function expressionOf(part: string): RegExp {
  const plain = part.split("*").map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${plain.join("[^/]*")}$`);
}

const maxFound = 2_000;
