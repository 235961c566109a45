import { PanewardError } from "@paneward/sdk";

/**
 * The text of an answer as it may be typed. To a program that reads lines, a line break is Enter and would answer the next
 * question too; a control character is a key. One line break at the end is how text comes out of files and models: the
 * answer is submitted anyway. An agent gets several lines as one paste.
 */
export function answerText(text: string, takesLines: boolean): string {
  const whole = text.replace(/(\r\n|\r|\n)$/, "");
  const typed = takesLines ? whole.replaceAll("\r\n", "\n") : whole;
  const found = (takesLines ? keysOnly : keysAndBreaks).exec(typed);
  if (!found) return typed;
  const what = breaks.test(found[0]) ? "a line break" : `the control character ${nameOf(found[0])}`;
  throw new PanewardError("bad_input", `an answer to this question is one line of text, and this has ${what}`, {
    errorType: "invalid_text",
    hint: "answer with one line; `paneward send ID --key NAME` presses keys on purpose",
  });
}

const breaks = /[\n\r\u0085\u2028\u2029]/u;
const keysAndBreaks = /[\p{Cc}\u2028\u2029]/u;
const keysOnly = /(?![\n\t])\p{Cc}/u;

function nameOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
