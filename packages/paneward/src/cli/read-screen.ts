import { PanewardError, type Question } from "@paneward/sdk";
import { doubtWords, reportedWords } from "@paneward/sdk/view";
import type { Call } from "./command.ts";
import { confirm, isInteractive } from "./prompt.ts";

/**
 * Prints the screen of a terminal that asks, and asks whether it was read. Returns what confirms it to the daemon: the
 * question and the hash of its lines; undefined when the answer is no.
 */
export async function readScreen(
  call: Call,
  id: string,
): Promise<{ readonly question: string; readonly seen_screen: string } | undefined> {
  const { client, options, out } = call;
  if (!isInteractive()) {
    throw new PanewardError("bad_input", "--read-screen needs a person at a terminal (TTY)", {
      hint: `read it yourself: \`paneward attach ${id}\``,
    });
  }
  const { id: terminal, lines } = await client.screen({ id });
  const question = await questionOf(call, terminal, options.text("question"));
  for (const line of lines) out.line(line);
  for (const words of [reportedWords(question), doubtWords(question)]) if (words !== undefined) out.note(words);
  if (!(await confirm(call, "Have you read this screen, and is the answer meant for it?"))) return undefined;
  const now = await questionOf(call, terminal, question.id);
  if (now.screenHash === question.screenHash) return { question: now.id, seen_screen: now.screenHash };
  throw new PanewardError("conflict", "the screen has changed while it was read; nothing was answered", {
    errorType: "screen_changed",
    hint: "run the same command again",
  });
}

async function questionOf({ client }: Call, terminal: string, id: string | undefined): Promise<Question> {
  const { questions } = await client.questions({});
  const found = questions.find((one) => one.terminal === terminal && (id === undefined || one.id === id));
  if (found) return found;
  throw new PanewardError("wrong_state", `${id ?? "a question"} is not open in ${terminal}`, {
    hint: "look at it again: `paneward questions`",
  });
}
