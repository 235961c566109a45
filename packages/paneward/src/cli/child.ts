import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";

export interface Program {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs a program on this terminal and returns its exit code; 128 + n if signal n ended it. */
export async function runProgram({ argv, env, cwd }: Program): Promise<number> {
  const [file = "", ...args] = argv;
  const signals = forwardSignals();
  try {
    const child = spawn(file, args, { stdio: "inherit", env, ...(cwd === undefined ? {} : { cwd }) });
    signals.to(child);
    return await exitCodeOf(child);
  } finally {
    signals.stop();
  }
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Installed before the program starts, so that no signal is lost in between. */
function forwardSignals(): { to(child: ChildProcess): void; stop(): void } {
  let receiver: ChildProcess | undefined;
  const listeners = {
    // The terminal sends Ctrl-C to the whole foreground group, so the program gets it anyway.
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
