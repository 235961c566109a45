import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";
import { askPerson, dataExit } from "./look/exit.ts";
import { textOf } from "./utf8.ts";

/** Whether stdin and stdout are both terminals. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && dataExit.isTerminal;
}

/** Asks before something destructive. `--yes` skips the question; without a terminal, `--yes` is required. */
export async function confirm({ options, progress, out }: Call, question: string): Promise<boolean> {
  if (options.flag("yes")) return true;
  if (!isInteractive()) {
    throw new PanewardError("bad_input", `${question} Cannot prompt: not a terminal (TTY)`, {
      hint: "add --yes to go ahead",
    });
  }
  progress.clear();
  if (/^y(es)?$/i.test((await askPerson(`${question} [y/N] `)).trim())) return true;
  out.note("nothing was changed");
  return false;
}

/** All of stdin, without the trailing line break that `echo` adds. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return textOf(Buffer.concat(chunks), "stdin").replace(/\r?\n$/, "");
}
