import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";

export interface Program {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Lets another program have the terminal and answers with its exit code, 128 + n when signal n ended it. */
export async function runProgram({ argv, env, cwd }: Program): Promise<number> {
  const [file = "", ...args] = argv;
  const signals = passingOn();
  try {
    const child = spawn(file, args, { stdio: "inherit", env, ...(cwd === undefined ? {} : { cwd }) });
    signals.to(child);
    return await endOf(child);
  } finally {
    signals.stop();
  }
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Begins before the program does, so that no signal falls in between. */
function passingOn(): { to(child: ChildProcess): void; stop(): void } {
  let receiver: ChildProcess | undefined;
  const listeners = {
    // Ctrl-C reaches the program by itself, as it is in the same foreground group; it decides what that means.
    SIGINT: () => {},
    SIGTERM: () => void receiver?.kill("SIGTERM"),
    SIGHUP: () => void receiver?.kill("SIGHUP"),
  };
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
  return {
    to(child) {
      receiver = child;
    },
    stop() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    },
  };
}
