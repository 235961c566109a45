// Runs the command lines that its parent sends, one after the other, and reports what each printed.
import { Readable } from "node:stream";
import { runCli } from "../../../src/cli/program.ts";
import type { Ran } from "./cli.ts";
import type { Line } from "./typed.ts";

const printed = { stdout: "", stderr: "" };
for (const name of ["stdout", "stderr"] as const) {
  const write = (text: string, ...rest: readonly unknown[]): boolean => {
    printed[name] += text;
    rest.find((one) => typeof one === "function")?.();
    return true;
  };
  process[name].write = write;
  process[name].setMaxListeners(0);
}
process.setMaxListeners(0);

async function ran({ argv, env, input, cwd }: Line): Promise<Ran> {
  Object.assign(printed, { stdout: "", stderr: "" });
  process.env = { ...env };
  process.chdir(cwd);
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  return { code: await runCli(argv), signal: null, ...printed };
}

let last = Promise.resolve();
process.on("message", (line: Line) => {
  last = last.then(async () => void process.send?.(await ran(line)));
});
