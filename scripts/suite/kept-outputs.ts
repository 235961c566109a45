import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileRun } from "./file-run.ts";
import type { Flaky } from "./verdict.ts";

/** Writes both outputs of every flaky file into a folder of this run; the answer gives the path of each. */
export function keepOutputs(folder: string, flaky: readonly Flaky[]): (run: FileRun) => string {
  const place = join(folder, new Date().toISOString().replaceAll(":", "-"));
  const paths = new Map<FileRun, string>();
  const keep = (run: FileRun, name: string) => {
    const path = join(place, `${run.file.replaceAll("/", "+")}.${name}.txt`);
    mkdirSync(place, { recursive: true });
    writeFileSync(path, run.output);
    paths.set(run, path);
  };
  for (const { first, second } of flaky) {
    keep(first, "failed");
    keep(second, "passed");
  }
  return (run) => paths.get(run) ?? "";
}
