import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import type { Run } from "../model/runs.ts";

export const setupPath = join(".paneward", "setup.sh");

/** The setup script of a checkout, if it has one. */
export async function setupScript(folder: string): Promise<Run | undefined> {
  return (await readSetupScript(folder))?.run;
}

/** The setup script with its bytes, read once: what is checked is what can be run. */
export async function readSetupScript(
  folder: string,
): Promise<{ readonly run: Run; readonly bytes: Buffer } | undefined> {
  const bytes = await readForeign(join(folder, setupPath), { maxBytes: maxScriptBytes, below: folder });
  return bytes && { run: runOf(setupPath, bytes), bytes };
}

/** The files below a folder that these words name. */
export async function namedFiles(folder: string, words: readonly string[]): Promise<readonly Run[]> {
  const found: Run[] = [];
  const top = await realpath(folder).catch(() => undefined);
  for (const word of top === undefined ? [] : words) {
    const real = await realpath(join(folder, word)).catch(() => undefined);
    if (real === undefined || (await stat(real)).isDirectory()) continue;
    // A link may lead to another file of the repository; where else it leads is part of what was looked at.
    const inside = real.startsWith(top + sep);
    const bytes = inside ? await readForeign(real, { maxBytes: maxScriptBytes }) : Buffer.from(`a link to ${real}\n`);
    if (bytes) found.push(runOf(word, bytes));
  }
  return found;
}

const maxScriptBytes = 16 * 1024 * 1024;

function runOf(what: string, bytes: Buffer): Run {
  return { what, text: bytes.toString("utf8"), digest: createHash("sha256").update(bytes).digest("hex") };
}
