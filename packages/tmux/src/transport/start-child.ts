import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";

/** Starts a program with pipes. Throws if there can be none: Node then returns a child without any, and says why later. */
export function startChild(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "env"> & { readonly errors?: "ignore" } = {},
): ChildProcessWithoutNullStreams {
  const { errors = "pipe", ...rest } = options;
  const child = spawn(file, args, { ...rest, stdio: ["pipe", "pipe", errors] });
  if (child.stdin && child.stdout) return child as ChildProcessWithoutNullStreams;
  child.on("error", () => {});
  throw Object.assign(new Error(`spawn ${file} EMFILE`), { code: "EMFILE", syscall: `spawn ${file}` });
}
