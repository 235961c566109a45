import { PanewardError, type Parsed, type Question, type QuestionOption } from "@paneward/sdk";
import type { GivenAnswer } from "../answer.ts";
import { answerText } from "./answer-text.ts";

export interface ParsedAnswer {
  readonly mode: "text" | "select" | "other" | "multi_select";
  readonly answer: GivenAnswer;
  /** As people read it afterwards; a secret is left out. */
  readonly words: string;
}

type Wanted = Pick<Question, "kind" | "options" | "freeText" | "openedAt" | "drawnAt">;
type Input = Pick<Parsed<"respond">, "text" | "option" | "mode" | "option_index" | "option_label" | "answers" | "deny">;

interface Circumstances {
  /** What is typed is not echoed, or the question asks for a password. */
  readonly secret: boolean;
  /** A known agent takes several lines as one answer; any other program takes the second for the next answer. */
  readonly takesLines: boolean;
}

/** What an answer means for this question. Nothing is guessed: what is not clear is refused, with the options. */
export function parseAnswer(question: Wanted, input: Input, { secret, takesLines }: Circumstances): ParsedAnswer {
  if (input.deny !== undefined) return denied(question, input, answerText(input.deny, true));
  const mode = input.mode ?? modeOf(input);
  if (mode === "multi_select") return several(question, input);
  if (mode === "select") return one(question, input);
  if (question.kind === "permission" && input.text) return { ...decided(question, input, input.text), mode };
  const text = answerText(input.text ?? "", takesLines);
  if (text === "" && question.kind !== "press_key") throw refused("missing_text", "the answer has no text");
  return { mode, answer: { kind: "text", text }, words: secret ? "(a secret)" : text };
}

/** Whether an answer by option names one that the question has; an answer in words needs none. */
export function namesOption(question: Wanted, input: Input): boolean {
  const isByOption = (input.mode ?? modeOf(input)) === "select" && input.deny === undefined;
  return !isByOption || optionOf(question, input) !== undefined;
}

function modeOf({ text, option, option_index, answers }: Input): ParsedAnswer["mode"] {
  if (answers !== undefined) return "multi_select";
  return text === undefined && (option !== undefined || option_index !== undefined) ? "select" : "text";
}

function one(question: Wanted, input: Input): ParsedAnswer {
  const { option, option_index: index } = input;
  const found = optionOf(question, input);
  if (!found) throw refused("invalid_option_index", "the question has no such option", ways(question));
  if (option === undefined && index !== undefined && found.does === undefined && changedItsOptions(question)) {
    throw refused("invalid_option_index", "its options changed when its dialog was drawn", ways(question));
  }
  const chosen = question.kind === "permission" ? byDoing(found) : undefined;
  return { mode: "select", answer: chosen ?? { kind: "option", number: found.number }, words: found.label };
}

function optionOf(question: Wanted, { option, option_index: index, option_label: label }: Input) {
  const { options } = question;
  if (option !== undefined) return options.find(({ number }) => number === option) ?? denialByNumber(question, option);
  return index !== undefined ? options[index] : options.find((one) => one.label === label);
}

function byDoing({ does }: QuestionOption): GivenAnswer | undefined {
  return does && { kind: does };
}

// Known from a hook alone, a permission offers 1 and 0. No dialog has a 0, so that this means the same once it is drawn.
function denialByNumber({ kind, options }: Wanted, number: number): QuestionOption | undefined {
  return kind === "permission" && number === 0 ? options.find(({ does }) => does === "deny") : undefined;
}

// What was the second of two options may be the second of four by now.
function changedItsOptions({ kind, openedAt, drawnAt }: Wanted): boolean {
  return kind === "permission" && drawnAt !== undefined && drawnAt > openedAt;
}

/** A permission in words: only those that cannot mean anything else. */
function decided(question: Wanted, input: Input, text: string): Omit<ParsedAnswer, "mode"> {
  if (input.option !== undefined || input.option_index !== undefined || input.option_label !== undefined) {
    throw refused("invalid_mode", "give a text or an option, not both", ways(question));
  }
  const does = words.get(text.trim().toLowerCase());
  const found = does && question.options.find((option) => option.does === does);
  if (does && found) return { answer: { kind: does }, words: found.label };
  throw refused("invalid_mode", `${JSON.stringify(text)} neither approves nor denies this permission`, ways(question));
}

const words: ReadonlyMap<string, "approve" | "deny"> = new Map([
  ...["y", "yes", "approve", "allow"].map((word) => [word, "approve"] as const),
  ...["n", "no", "deny"].map((word) => [word, "deny"] as const),
]);

function denied(question: Wanted, input: Input, message: string): ParsedAnswer {
  const { text, option, option_index, option_label, answers } = input;
  const others = Object.entries({ text, option, option_index, option_label, answers }).filter(
    ([, given]) => given !== undefined,
  );
  if (others.length > 0) {
    const names = others.map(([name]) => name).join(", ");
    throw refused("invalid_mode", "give either deny or another answer", `leave out ${names} or deny`);
  }
  if (question.kind !== "permission") {
    throw refused("invalid_mode", "only a permission can be denied", ways(question));
  }
  const no = question.options.find(({ does }) => does === "deny");
  if (!no) throw refused("invalid_mode", "none of its options is known to deny it", ways(question));
  const said = message.trim() === "" ? undefined : message;
  return {
    mode: "other",
    answer: { kind: "deny", ...(said === undefined ? {} : { message: said }) },
    words: said ?? no.label,
  };
}

function several(question: Wanted, { answers = [] }: Input): ParsedAnswer {
  if (answers.length !== 1) {
    throw refused("invalid_answers", `one question is open, and ${answers.length} answers were given`);
  }
  const [first] = answers;
  const indices = first?.option_indices ?? (first?.option_index === undefined ? [] : [first.option_index]);
  const chosen = indices.map((index) => question.options[index]);
  if (chosen.length === 0 || chosen.includes(undefined)) {
    throw refused("invalid_answers", "an answer names an option that the question does not have");
  }
  if (question.kind === "permission") {
    throw refused("invalid_answers", "a permission takes one option", ways(question));
  }
  const options = chosen.flatMap((option) => option ?? []);
  const numbers = options.map(({ number }) => number);
  return {
    mode: "multi_select",
    answer: { kind: "options", numbers },
    words: options.map(({ label }) => label).join(", "),
  };
}

function ways({ kind, options }: Wanted): string {
  if (options.length === 0) return "it has no options: answer with a text";
  const there = `there are ${options.map(({ number, label }) => `${number} ${label}`).join(", ")}`;
  const takesWords = kind === "permission" && options.some(({ does }) => does === "deny");
  return takesWords ? `${there}; yes and no count too, and \`deny\` (--deny TEXT) denies with words` : there;
}

function refused(errorType: string, message: string, hint?: string): PanewardError {
  return new PanewardError("bad_input", message, { errorType, ...(hint === undefined ? {} : { hint }) });
}
