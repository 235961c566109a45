import { looksPrinted, promptLine, waits } from "./line.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/**
 * "Press Enter to continue" and the like. "Press Ctrl+C to stop" and "press h + enter to show help" are not questions.
 */
export function pressKey(view: View): Prompt | undefined {
  const line = promptLine(view);
  if (line === undefined || line.length > 240 || !found(view, line)) return undefined;
  if (!waits(view) && looksPrinted(line)) return undefined;
  const text = line.trim();
  return { kind: "press_key", text, rule: "asks for a key", confidence: waits(view) ? "sure" : "likely" };
}

function found(view: View, line: string): boolean {
  return atStart.test(line) || afterSentence.test(line) || (waits(view) && afterComma.test(line));
}

// The phrase starts the line or a new part of it; "you can press Enter to …" is prose about keys.
const keys = "(?:enter|return|return/enter|any key|any other key|a key|space|spacebar|⏎|↵)";
const ending = String.raw`(?:\s+key)?(?:\s+(?:to|when|or|once|if)\s(?:[^.?!:]|[.:](?=\S)){1,100}|\s+twice|\s+now)?[\s.…!:)\]>*-]*$`;
const verb = String.raw`(?:please )?(?:press|hit|push|strike|type|tap)\s+(?:on )?(?:the )?[<["'‘“(]?${keys}[>\]"'’”)]?${ending}`;
const atStart = new RegExp(String.raw`^[^\w›➜•]{0,8}${verb}`, "i");
const afterSentence = new RegExp(String.raw`^.{0,200}[.!?:;([–—]\s{0,3}(?:(?:then|now) )?${verb}`, "i");
const afterComma = new RegExp(`^.{0,200}(?:, (?:then |and )?| and (?:then )?)${verb}`, "i");
