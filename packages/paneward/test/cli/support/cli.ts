import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compileCache } from "../../support/compile-cache.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { lightNode } from "../../support/light-node.ts";
import { packedCli } from "../../support/packed.ts";

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
}

/** Runs `paneward` to its end, without a terminal. */
export async function paneward(argv: readonly string[], options: CliOptions): Promise<Ran> {
  const child = spawnCli(argv, options);
  const printed = collected(child);
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...printed };
}

export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ran>;
}

/** Starts `paneward` and leaves it running until the test is over. */
export function startPaneward(t: Cleanup, argv: readonly string[], options: CliOptions): RunningCli {
  const child = spawnCli(argv, options);
  const printed = collected(child);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...printed }) as Ran);
  afterwards(t, async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return { child, printed, ended };
}

/** The argv that runs the command line. */
export const cliArgv = [process.execPath, ...lightNode, join(await packedCli(), "main.mjs")] as const;

function spawnCli(argv: readonly string[], { env, cwd }: CliOptions): ChildProcessWithoutNullStreams {
  const [node, ...rest] = cliArgv;
  return spawn(node, [...rest, ...argv], {
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function collected(child: ChildProcessWithoutNullStreams): { stdout: string; stderr: string } {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (chunk: string) => {
      printed[name] += chunk;
    });
  }
  return printed;
}
