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
  // The compiler is written in Go: while it lives for seconds, collecting its garbage is a fifth of its work.
  const env = { ...process.env, GOGC: "off" };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(child, "close");
  return { code: code ?? 1, printed };
}
