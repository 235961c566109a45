import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";

/** Whether stdin and stdout are both terminals. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Asks before something destructive. `--yes` skips the question; without a terminal, `--yes` is required. */
export async function confirm({ options, progress, out }: Call, question: string): Promise<boolean> {
  if (options.flag("yes")) return true;
  if (!isInteractive()) {
    throw new PanewardError("bad_input", `${question} Cannot prompt: not a terminal (TTY)`, {
      hint: "add --yes to go ahead",
    });
  }
  const { createInterface } = await import("node:readline/promises");
  progress.clear();
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
  } finally {
    prompt.close();
  }
  out.note("nothing was changed");
  return false;
}

/** All of stdin, without the trailing line break that `echo` adds. */
export async function readStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text.replace(/\r?\n$/, "");
}
