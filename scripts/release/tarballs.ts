import { statSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";
import type { Step } from "./step.ts";

export interface Tools {
  /** The folder with publint and attw. */
  readonly bin: string;
  readonly cwd: string;
}

/** publint: what the package.json of a tarball promises is there, in a form that every tool understands. */
export function checkWithPublint(tarballs: readonly string[], { bin, cwd }: Tools): Step {
  const faults = tarballs.flatMap((path) => {
    const { ok, printed } = run([join(bin, "publint"), "run", path, "--strict"], { cwd });
    return ok ? [] : [`${nameOf(path)}: ${printed}`];
  });
  return { name: "publint", faults, detail: `${tarballs.length} tarballs, ${sizeOf(tarballs)}` };
}

/** Are the types wrong: what a program that imports a package is told of its types is what it then gets. */
export function checkTypes(tarballs: readonly string[], { bin, cwd }: Tools): Step {
  // The packages are ES modules for Node 22 and newer, and for what understands `exports`.
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-color"];
  const faults = tarballs.flatMap((path) => {
    const { ok, printed } = run([join(bin, "attw"), path, ...options], { cwd });
    return ok ? [] : [`${nameOf(path)}: ${printed}`];
  });
  return { name: "types", faults, detail: `${tarballs.map(nameOf).join(", ")}: as an importer sees them` };
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/-\d.*$/, "");
}

function sizeOf(paths: readonly string[]): string {
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
