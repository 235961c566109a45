import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of this repository. */
export const root = join(import.meta.dirname, "../..");

/** Files by pattern, as paths from the root, without what is installed or built. */
export function files(...patterns: readonly string[]): readonly string[] {
  const exclude = ["**/node_modules/**", "**/dist/**"];
  return globSync(patterns, { cwd: root, exclude }).sort();
}

export function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Runs a program in the root; returns its exit code and output. */
export async function run(argv: readonly string[]): Promise<{ code: number; printed: string }> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(child, "close");
  return { code: code ?? 1, printed };
}
