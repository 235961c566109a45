import { errorTypeOf, TmuxError } from "../protocol/errors.ts";
import { controlLine, type Sequence, spawnArguments } from "../protocol/quote.ts";
import { type Finished, runChild } from "./child.ts";
import { announced, programBegins } from "./greeting.ts";
import { findProgram, type Host, isLocal } from "./host.ts";
import { answerLimitMs, type RunOptions, startLimitMs, type Transport } from "./transport.ts";

/** The address of a tmux server. */
export interface Address {
  readonly host: Host;
  readonly socketPath: string;
}

/** `-f /dev/null`: ignore the user's configuration file; `-u`: text beyond ASCII passes unchanged. */
export function tmuxArgv({ host, socketPath }: Address, rest: readonly string[]): readonly string[] {
  return [host.tmux, "-u", "-f", "/dev/null", "-S", socketPath, ...rest];
}

/** One tmux process per sequence. */
export function spawnTransport(address: Address): Transport {
  return {
    kind: "spawn",
    run: (sequence, options = {}) => run(address, sequence, options),
    close: async () => {},
  };
}

/** Runs a sequence that would start a server, unless there is none: false. `-N` keeps tmux from starting it. */
export async function unlessMissing(address: Address, sequence: Sequence, options: RunOptions): Promise<boolean> {
  const argv = tmuxArgv(address, ["-N", ...spawnArguments(sequence)]);
  const finished = await runChild(address.host, argv, { timeoutMs: options.timeoutMs ?? startLimitMs(address.host) });
  if (finished.code === 0) return true;
  if (/no server running|error connecting/.test(finished.stderr)) return false;
  throw refused(address.host, sequence, finished, options);
}

/** Runs a sequence through a launcher. False if that did not run tmux at all; what tmux then says counts. */
export async function startedThrough(
  launcher: readonly string[],
  address: Address,
  sequence: Sequence,
  options: RunOptions,
): Promise<boolean> {
  const [tmux = "", ...args] = tmuxArgv(address, spawnArguments(sequence));
  const argv = [...launcher, ...announced([findProgram(tmux) ?? tmux, ...args])];
  const timeoutMs = options.timeoutMs ?? startLimitMs(address.host);
  const finished = await runChild(address.host, argv, { timeoutMs }).catch((error: unknown) => {
    // It is not there, or does not answer.
    if (error instanceof TmuxError) return undefined;
    throw error;
  });
  if (!finished?.stdout.includes(programBegins)) return false;
  if (finished.code !== 0) throw refused(address.host, sequence, finished, options);
  return true;
}

async function run(address: Address, sequence: Sequence, options: RunOptions): Promise<readonly string[]> {
  const { args, stdin } = passed(sequence, options);
  const finished = await runChild(address.host, tmuxArgv(address, args), {
    timeoutMs: options.timeoutMs ?? (isLocal(address.host) ? answerLimitMs : startLimitMs)(address.host),
    harmless: options.readOnly === true,
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (finished.code !== 0) throw refused(address.host, sequence, finished, options);
  const lines = finished.stdout.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

// Every user of the machine can read a command line, so variables and typed text go through stdin. Only a command line
// starts a server (tmux refuses `source-file` without one); neither that one nor one whose stdin is in use has secrets.
function passed(sequence: Sequence, { stdin }: RunOptions): { readonly args: string[]; readonly stdin?: string } {
  if (stdin !== undefined) return { args: spawnArguments(sequence), stdin };
  if (sequence[0]?.[0] === "start-server") return { args: spawnArguments(sequence) };
  return { args: ["source-file", "-"], stdin: `${controlLine(sequence)}\n` };
}

function refused(
  host: Host,
  sequence: Sequence,
  { code, killed, stderr, stdout }: Finished,
  { readOnly = false }: RunOptions,
): TmuxError {
  const argv = sequence.flat();
  // ssh exits with 255 when its connection broke; tmux itself exits with 0 or 1.
  if (killed || (code === 255 && !isLocal(host))) {
    const why = stderr.trim() || "its process was killed";
    return new TmuxError("unknown", `outcome unknown: tmux did not answer (${why})`, {
      argv,
      stderr,
      delivered: readOnly ? "no" : "maybe",
    });
  }
  const message = stderr.trim() || stdout.trim() || `exit code ${code}`;
  const type = code === 127 ? "tmux_not_installed" : errorTypeOf(message);
  // The commands before the failed one have taken effect, and the exit code does not say which one failed.
  const harmless = readOnly || sequence.length === 1 || /no server running|error connecting/.test(message);
  return new TmuxError(type, `tmux ${sequence[0]?.[0] ?? ""}: ${message}`, {
    argv,
    stderr,
    delivered: harmless ? "no" : "maybe",
  });
}
