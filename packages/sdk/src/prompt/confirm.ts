import { type Choices, choicesAtEnd } from "./choices.ts";
import { looksPrinted, promptLine, waits } from "./line.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** A question answered by yes or no, or by one of a few letters. */
export function confirm(view: View): Prompt | undefined {
  const line = promptLine(view);
  if (line === undefined) return undefined;
  return byChoices(view, line) ?? byApproval(view, line) ?? byWords(view, line);
}

function byChoices(view: View, line: string): Prompt | undefined {
  const found = choicesAtEnd(line);
  if (!found || !isPlausible(view, line, found)) return undefined;
  const sure = waits(view) && found.answer === "" && found.yesNo;
  return {
    kind: found.yesNo ? "confirm" : "menu",
    text: line.trim(),
    options: found.options,
    ...(found.default === undefined ? {} : { default: found.default }),
    rule: found.yesNo ? "yes-no choices at the end of the line" : "choices at the end of the line",
    confidence: sure || (view.cursorPlace === "unknown" && found.yesNo && found.options.length > 1) ? "sure" : "likely",
  };
}

function isPlausible(view: View, line: string, found: Choices): boolean {
  if (waits(view)) return found.yesNo || (found.answer === "" && /[?:>\])]$/.test(line) && !looksPrinted(line));
  // Text after the choices is an answer that was given, unless the cursor is still there.
  if (found.answer !== "" || !found.yesNo || looksPrinted(line)) return false;
  // A program may print its question with a newline and then read: then the line must look like a question.
  return /\?|:$/.test(line) || opening.test(line);
}

/** terraform: Only 'yes' will be accepted to approve.   Enter a value: */
function byApproval(view: View, line: string): Prompt | undefined {
  if (!/^\s*Enter a value:$/.test(line)) return undefined;
  const approval = view.above.slice(-6).find((text) => /Only 'yes' will be accepted/.test(text));
  if (!approval) return undefined;
  const question = view.above.findLast((text) => /\?\s*$/.test(text)) ?? approval;
  const options = [{ key: "yes", label: "yes" }];
  return { kind: "confirm", text: question.trim(), options, rule: "only 'yes' is accepted", confidence: "sure" };
}

function byWords(view: View, line: string): Prompt | undefined {
  if (line.length > 240 || !/\?$/.test(line)) return undefined;
  const known = opening.test(line);
  const tool = /^\S{1,30}: .*(overwrite|remove|replace|delete|descend into)\b.*\?$/i.test(line);
  const asksToAct =
    waits(view) && /\b(continue|proceed|overwrite|replace|remove|delete|confirm|sure|ok|okay)\b/i.test(line);
  if (!known && !tool && !asksToAct) return undefined;
  if (!waits(view) && (view.cursorPlace !== "unknown" || looksPrinted(line))) return undefined;
  const rule = "a question whether to continue";
  return { kind: "confirm", text: line.trim(), rule, confidence: waits(view) ? "sure" : "likely" };
}

/** How such questions begin, at the start of the line or of its last sentence. */
const opening =
  /^(?:.{0,160}[.!?:;]\s+)?[^A-Za-z.]{0,6}(continue|proceed|overwrite|replace|confirm|are you (really |absolutely |very )?sure|do you (really )?(want|wish) to|would you like to|(is this |is that )?ok\b|really |ready to|accept|install|delete|remove|abort|retry|try again)\b/i;
