import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { startChild } from "./start-child.ts";

interface Question {
  readonly terminal: string;
  readonly answered: (modes: string) => void;
}

/**
 * What `stty -a` prints about a terminal; empty where it does not work. One shell stays ready and starts it: that takes half
 * as long as starting it from here, and does not hold up the loop, as copying a big process does. It ends with its input.
 */
export function terminalModes(terminal: string): Promise<string> {
  return new Promise((answered) => {
    questions.push({ terminal, answered });
    if (questions.length === 1) askNext();
  });
}

const questions: Question[] = [];
let ready: ChildProcessWithoutNullStreams | undefined;

async function askNext(): Promise<void> {
  for (let next = questions[0]; next; next = questions[0]) {
    // The shell may have ended just before it was asked.
    const modes = (await ask(next.terminal)) ?? (await ask(next.terminal)) ?? "";
    questions.shift();
    next.answered(modes);
  }
}

/** Undefined if the shell ended before it answered, or could not be started. */
async function ask(terminal: string): Promise<string | undefined> {
  try {
    ready ??= startShell();
  } catch {
    return undefined;
  }
  const shell = ready;
  return new Promise((resolve) => {
    let printed = "";
    const giveUp = setTimeout(() => shell.kill("SIGKILL"), patienceMs);
    const settle = (modes: string | undefined) => {
      clearTimeout(giveUp);
      shell.stdout.off("data", read);
      shell.off("close", end).off("error", end);
      hold(shell, false);
      resolve(modes);
    };
    const read = (chunk: string) => {
      printed += chunk;
      if (endMark.test(printed)) settle(printed.replace(endMark, ""));
    };
    const end = () => settle(undefined);
    hold(shell, true);
    shell.stdout.on("data", read);
    shell.on("close", end).on("error", end);
    shell.stdin.write(`${terminal}\n`);
  });
}

function startShell(): NonNullable<typeof ready> {
  const script = 'while read -r terminal; do stty -F "$terminal" -a 2>/dev/null; echo .; done';
  const shell = startChild("/bin/sh", ["-c", script], { errors: "ignore" });
  const forget = () => {
    if (ready === shell) ready = undefined;
  };
  shell.on("close", forget).on("error", forget);
  shell.stdin.on("error", forget);
  shell.stdout.setEncoding("latin1");
  return shell;
}

// A program that waits for nothing else can end while the shell stays ready.
function hold(shell: NonNullable<typeof ready>, isNeeded: boolean): void {
  for (const part of [shell, shell.stdin, shell.stdout] as readonly { ref?(): void; unref?(): void }[]) {
    if (isNeeded) part.ref?.();
    else part.unref?.();
  }
}

const endMark = /(?:^|\n)\.\n$/;
const patienceMs = 2_000;
