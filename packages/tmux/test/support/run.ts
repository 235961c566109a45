import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program to its end and returns what it printed; an exit code other than 0 is an error. */
export async function runProgram(argv: readonly string[]): Promise<string> {
  const [file = "", ...args] = argv;
  const { stdout } = await execute(file, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
