import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { type TerminalFacts, type Wait, waitBy } from "../protocol/listening.ts";
import { terminalModes } from "./terminal-modes.ts";

/** The modes of a pane's terminal and what its foreground group waits for. A few files of /proc, and one `stty`. */
export async function localTerminal(pid: number, proc = "/proc"): Promise<TerminalFacts> {
  const root = statOf(`${proc}/${pid}/stat`);
  const terminal = root && terminalName(Number(root[4]));
  if (!root || terminal === undefined) return { modes: "", waits: [] };
  const modes = terminalModes(terminal);
  const group = below(pid, proc).filter((one) => statOf(`${proc}/${one}/stat`)?.[2] === root[5]);
  return { waits: group.flatMap((one) => waitsOf(`${proc}/${one}`, terminal)), modes: await modes };
}

/** The pane's process and all below it; any thread may have started children. */
function below(pid: number, proc: string): readonly number[] {
  const found = [pid];
  for (const one of found) {
    if (found.length > maxProcesses) break;
    for (const thread of namesIn(`${proc}/${one}/task`)) {
      found.push(...words(`${proc}/${one}/task/${thread}/children`).map(Number));
    }
  }
  return found;
}

const maxProcesses = 500;

function waitsOf(process: string, terminal: string): readonly Wait[] {
  return namesIn(`${process}/task`).map((thread) => {
    const at = `${process}/task/${thread}`;
    const byCall = waitByCall(process, words(`${at}/syscall`), terminal);
    if (byCall) return byCall;
    const wait = waitBy(statOf(`${at}/stat`)?.[0] ?? "", textOf(`${at}/wchan`));
    if (wait === "several" && isPolled(process, terminal)) return "terminal";
    return wait === "terminal or socket" && !hasSocket(process) ? "terminal" : wait;
  });
}

function hasSocket(process: string): boolean {
  return namesIn(`${process}/fd`).some((file) => linkOf(`${process}/fd/${file}`).startsWith("socket:"));
}

/**
 * The system call that a thread is in, with its arguments, is exact; many systems show it only to tracers. Then the name of
 * the place must do.
 */
function waitByCall(process: string, [number, first]: readonly string[], terminal: string): Wait | undefined {
  const names = calls[globalThis.process.arch];
  if (!names || number === undefined || first === undefined) return undefined;
  const name = names[number];
  const file = Number(first);
  if (name === undefined) return "other";
  if (name === "read") return isTerminal(process, file, terminal) ? "terminal" : "other";
  if (name === "select") return isTerminal(process, file - 1, terminal) ? "terminal" : "several";
  if (name === "epoll") return isPolled(process, terminal) ? "terminal" : "other";
  return "several";
}

type Call = "read" | "select" | "poll" | "epoll";

const calls: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  x64: {
    ...{ 0: "read", 19: "read", 23: "select", 270: "select", 7: "poll", 271: "poll", 426: "poll" },
    ...{ 232: "epoll", 281: "epoll", 441: "epoll" },
  },
  arm64: { 63: "read", 65: "read", 72: "select", 73: "poll", 426: "poll", 22: "epoll", 441: "epoll" },
};

function isTerminal(process: string, file: number, terminal: string): boolean {
  const target = linkOf(`${process}/fd/${file}`);
  return target === terminal || target === "/dev/tty";
}

/** Whether one of its event polls waits until the terminal can be read. */
function isPolled(process: string, terminal: string): boolean {
  return namesIn(`${process}/fd`)
    .filter((file) => linkOf(`${process}/fd/${file}`) === "anon_inode:[eventpoll]")
    .flatMap((file) => [...textOf(`${process}/fdinfo/${file}`).matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)])
    .some(([, file, events]) => Number.parseInt(events ?? "", 16) & 1 && isTerminal(process, Number(file), terminal));
}

/** The name of a terminal by its device number; only pseudo-terminals are in panes. */
function terminalName(device: number): string | undefined {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major < 144 ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
}

/** The fields from the state on: state, parent, group, session, terminal, foreground group. The name before may be anything. */
function statOf(path: string): readonly string[] | undefined {
  const text = textOf(path);
  return text === "" ? undefined : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function words(path: string): readonly string[] {
  return textOf(path).split(/\s+/).filter(Boolean);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
