import { createHash } from "node:crypto";
import { join } from "node:path";
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

export const maxScriptBytes = 16 * 1024 * 1024;

export function runOf(what: string, bytes: Buffer): Run {
  return { what, text: bytes.toString("utf8"), digest: createHash("sha256").update(bytes).digest("hex") };
}
