import { spawn } from "node:child_process";
import { constants } from "node:os";

export interface Program {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Lets another program have the terminal and answers with its exit code, 128 + n when signal n ended it. */
export function runProgram({ argv, env, cwd }: Program): Promise<number> {
  const [file = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: "inherit", env, ...(cwd === undefined ? {} : { cwd }) });
    // Ctrl-C reaches the child by itself, as it is in the same foreground group; it decides what that means.
    const passOn = {
      SIGINT: () => {},
      SIGTERM: () => void child.kill("SIGTERM"),
      SIGHUP: () => void child.kill("SIGHUP"),
    };
    for (const [signal, listener] of Object.entries(passOn)) process.on(signal, listener);
    const done = () => {
      for (const [signal, listener] of Object.entries(passOn)) process.off(signal, listener);
    };
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      done();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
