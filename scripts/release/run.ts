import { spawnSync } from "node:child_process";

interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  /** Both outputs. */
  readonly printed: string;
}

/** Runs a program to its end. */
export function run(
  [file = "", ...args]: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Ran {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
  return {
    ok: status === 0,
    stdout: stdout ?? "",
    printed: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim(),
  };
}

/** The same for what must succeed. */
export function mustRun(argv: readonly string[], options: Parameters<typeof run>[1]): string {
  const { ok, stdout, printed } = run(argv, options);
  if (!ok) throw new Error(`${argv.join(" ")}\n${printed}`);
  return stdout;
}
