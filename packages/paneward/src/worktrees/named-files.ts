import type { Stats } from "node:fs";
import { glob, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign, readForeign } from "@paneward/sdk/node/files";
import type { NamedFile } from "../model/named-files.ts";
import type { Run } from "../model/runs.ts";
import type { CommandPlaces } from "../runtime/ports.ts";
import { maxScriptBytes, runOf } from "./runs.ts";
import { requireSimpleGlob } from "./simple-glob.ts";

/** Those of the files that a command names which are there and can run. */
export async function namedFiles(at: CommandPlaces, files: readonly NamedFile[]): Promise<readonly Run[]> {
  const found: Run[] = [];
  for (const { path, inRoot, surely } of files) {
    const folder = inRoot ? at.root : at.folder;
    for (const one of surely ? await matches(folder, path) : [path]) {
      const run = await runAt(folder, one, surely);
      if (run) found.push(run);
      if (found.length > maxFiles) throw tooMany(at.root);
    }
  }
  return found;
}

async function runAt(folder: string, path: string, surely: boolean): Promise<Run | undefined> {
  const top = await realpath(folder).catch(() => undefined);
  const real = await realpath(join(folder, path)).catch(() => undefined);
  if (top === undefined || real === undefined) return undefined;
  const stats = await stat(real);
  if (stats.isDirectory() || !(surely || (await canRun(real, stats)))) return undefined;
  // A link may lead to another file of the repository; where else it leads is part of what was looked at.
  const inside = real.startsWith(top + sep);
  const bytes = inside ? await readForeign(real, { maxBytes: maxScriptBytes }) : Buffer.from(`a link to ${real}\n`);
  return bytes && runOf(path, bytes);
}

/** By its mode, or because it names its interpreter: then a mode is quickly given. */
async function canRun(path: string, stats: Stats): Promise<boolean> {
  if ((stats.mode & 0o111) !== 0) return true;
  if (!stats.isFile()) return false;
  const file = await openForeign(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "#!";
  } finally {
    await file.close();
  }
}

/** The file of this name, or else all that the shell would take for it. */
async function matches(folder: string, path: string): Promise<readonly string[]> {
  if (!/[*?[]/.test(path) || (await isThere(join(folder, path)))) return [path];
  // For a shell, two stars are one.
  const pattern = path.replaceAll(/\*+/g, "*");
  requireSimpleGlob(pattern);
  const found: string[] = [];
  for await (const match of glob(pattern, { cwd: folder })) {
    found.push(match);
    if (found.length > maxFiles) throw tooMany(folder);
  }
  return found.toSorted();
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** More would not be read by a person. */
const maxFiles = 200;

function tooMany(folder: string): PanewardError {
  return new PanewardError("wrong_state", `a command of ${folder} names more than ${maxFiles} files that could run`, {
    hint: "let it name one script that runs the others",
  });
}
