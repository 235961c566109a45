import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { posixArgument } from "../protocol/quote.ts";
import { announced } from "./greeting.ts";

/**
 * A machine with tmux: this one, or one behind an argv prefix such as `["podman", "exec", "-i", "box"]`. `ssh` joins
 * its arguments and a shell parses them again; such a host has `quoting: "posix"`.
 */
export interface Host {
  readonly prefix: readonly string[];
  readonly quoting: "argv" | "posix";
  /** The tmux program; looked up on PATH unless it is a path. */
  readonly tmux: string;
  /** The whole environment of the tmux server and its clients: no other variable reaches a pane. */
  readonly env: Readonly<Record<string, string>>;
  /** How long tmux may take to answer, in milliseconds; 5,000 by default. */
  readonly patienceMs?: number;
}

export const thisMachine: Host = { prefix: [], quoting: "argv", tmux: "tmux", env: {} };

export function isLocal(host: Host): boolean {
  return host.prefix.length === 0;
}

/**
 * Arguments for `spawn` to run `argv` on the host with the host's environment. Behind a prefix the output has a
 * greeting.
 */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export function onHost(host: Host, argv: readonly string[], ownEnvironment = false): Invocation {
  if (isLocal(host)) {
    const [program = "", ...args] = argv;
    return { file: findProgram(program) ?? program, args, env: { ...host.env } };
  }
  const named = Object.entries(host.env).map(([name, value]) => `${name}=${value}`);
  const remote = [...(ownEnvironment ? [] : ["env", "-i", ...named]), ...announced(argv)];
  const [file = "", ...rest] = host.prefix;
  const args = [...rest, ...(host.quoting === "posix" ? remote.map(posixArgument) : remote)];
  // The prefix program runs locally with our environment: ssh needs HOME and its agent, podman its storage.
  return { file, args, env: process.env };
}

/** Finds a program by this process's PATH; a child with a bare environment could not. */
export function findProgram(program: string, path = process.env.PATH ?? ""): string | undefined {
  const places = program.includes("/") ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  return places.find((place) => {
    try {
      // In most folders it is not, and a failure costs more than a look.
      if (statSync(place, { throwIfNoEntry: false }) === undefined) return false;
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
