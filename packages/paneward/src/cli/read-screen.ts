import { type Client, PanewardError, type Question } from "@paneward/sdk";
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
  const { question, lines } = await questionOnScreen(client, id, options.text("question"));
  for (const line of lines) out.line(line);
  for (const words of [reportedWords(question), doubtWords(question)]) if (words !== undefined) out.note(words);
  if (!(await confirm(call, "Have you read this screen, and is the answer meant for it?"))) return undefined;
  const now = await requireSame(client, question);
  return { question: now.id, seen_screen: now.screenHash };
}

/**
 * An open question with the screen that shows it. The screen is asked for after the question: if another dialog came in
 * between, the hash of the first is sent with what was read of the second, and the daemon refuses it.
 */
export async function questionOnScreen(
  client: Pick<Client, "questions" | "screen">,
  id: string,
  wanted: string | undefined,
): Promise<{ readonly question: Question; readonly lines: readonly string[] }> {
  // Only for the terminal's own id.
  const { id: terminal } = await client.screen({ id });
  const question = await questionOf(client, terminal, wanted);
  if (!question) {
    const which = wanted === undefined ? "no question is open" : `${wanted} is not open`;
    throw new PanewardError("wrong_state", `${which} in ${id}`, { hint: "look at it again: `paneward questions`" });
  }
  const { lines } = await client.screen({ id: terminal });
  return { question: await requireSame(client, question), lines };
}

async function requireSame(client: Pick<Client, "questions">, question: Question): Promise<Question> {
  const now = await questionOf(client, question.terminal, question.id);
  if (now?.screenHash === question.screenHash) return now;
  throw new PanewardError("conflict", "the screen has changed while it was read; nothing was answered", {
    errorType: "screen_changed",
    hint: "run the same command again",
  });
}

async function questionOf(
  client: Pick<Client, "questions">,
  terminal: string,
  id: string | undefined,
): Promise<Question | undefined> {
  const { questions } = await client.questions({});
  return questions.find((one) => one.terminal === terminal && (id === undefined || one.id === id));
}
