import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compileCache } from "../../support/compile-cache.ts";
import { lightNode } from "../../support/light-node.ts";
import { packedCli } from "../../support/packed.ts";
import type { CliOptions, Ran } from "./cli.ts";

export interface Line extends Required<CliOptions> {
  readonly argv: readonly string[];
}

/**
 * Like `paneward`, but all command lines of a test file run in one process, which takes a tenth of the time: for what does
 * not depend on the process, as its exit, its streams, its signals or what it starts.
 */
export function typed(argv: readonly string[], { env, input = "", cwd = process.cwd() }: CliOptions): Promise<Ran> {
  const ran = last.then(() => answerOf({ argv, env, input, cwd }));
  last = ran.catch(() => {});
  return ran;
}

let last: Promise<unknown> = Promise.resolve();
let child: ChildProcess | undefined;

async function answerOf(line: Line): Promise<Ran> {
  child ??= await start();
  const gone = new AbortController();
  const { signal } = gone;
  child.ref();
  child.channel?.ref();
  try {
    const ended = once(child, "exit", { signal }).then(([code]) => {
      throw new Error(`\`paneward ${line.argv.join(" ")}\` ended its process with code ${code}`);
    });
    const answer = once(child, "message", { signal }) as Promise<[Ran]>;
    child.send(line);
    const [ran] = await Promise.race([answer, ended]);
    return ran;
  } finally {
    gone.abort();
    // It ends with this process.
    child.unref();
    child.channel?.unref();
  }
}

async function start(): Promise<ChildProcess> {
  const env = { NODE_COMPILE_CACHE: compileCache, PATH: process.env.PATH };
  const started = fork(join(await packedCli(), "lines.mjs"), { env, execArgv: [...lightNode] });
  started.once("exit", () => {
    child = undefined;
  });
  return started;
}
