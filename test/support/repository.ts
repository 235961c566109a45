import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the repository these tests belong to. */
export const root = join(import.meta.dirname, "../..");

/** Files by pattern, as paths from the root, without what is installed or built. */
export function files(...patterns: readonly string[]): readonly string[] {
  const exclude = ["**/node_modules/**", "**/dist/**"];
  return globSync(patterns, { cwd: root, exclude }).sort();
}

export function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Runs a program in the root; on failure what it printed is worth reading. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): { code: number; printed: string } {
  const [program = "", ...args] = argv;
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, env, encoding: "utf8" });
  if (error) throw error;
  return { code: status ?? 1, printed: `${stdout}${stderr}` };
}
