import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import { placeOf, removeUnfinished, writeSettings } from "../hooks/settings-file.ts";

/** The files that a person shares with us: read whole, replaced at once, links and modes kept. */
export async function bytesOf(path: string): Promise<Buffer | undefined> {
  return readForeign(path, { maxBytes: 16 * 1_048_576, followLinks: true });
}

export { writeSettings as writeBytes };

export function hashOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : createHash("sha256").update(bytes).digest("hex");
}

/** The folders that writing this file would make, the outermost first. */
export async function missingFolders(path: string): Promise<readonly string[]> {
  return missingAbove(await placeOf(path));
}

/** What a kill left beside it. */
export async function tidyBeside(path: string): Promise<void> {
  await removeUnfinished(await placeOf(path));
}

function missingAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [...missingAbove(folder), folder];
}

/** Removes folders that are empty. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  }
}
