import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";

/** Whether a person sits there who can type and see. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Makes sure that somebody wants this: `--yes`, or a person who says so. Without a TTY nothing is assumed. */
export async function confirmed({ options, progress, out }: Call, question: string): Promise<boolean> {
  if (options.flag("yes")) return true;
  if (!isInteractive()) {
    throw new PanewardError("bad_input", `${question} Nobody can be asked here: there is no terminal (TTY)`, {
      hint: "add --yes if you mean it",
    });
  }
  const { createInterface } = await import("node:readline/promises");
  progress.clear();
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
  } finally {
    asking.close();
  }
  out.note("nothing was changed");
  return false;
}

/** All of stdin, without the line break that `echo` puts at the end. */
export async function textOfStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text.replace(/\r?\n$/, "");
}
