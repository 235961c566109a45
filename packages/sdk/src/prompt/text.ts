import { looksPrinted, promptLine, waits } from "./line.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** A question whose answer is free text. Except for a few known ones it needs the cursor right after it. */
export function text(view: View): Prompt | undefined {
  const line = promptLine(view);
  if (line === undefined || line.length > 240) return undefined;
  return known(view, line) ?? behindQuestion(view, line) ?? behindColon(view, line);
}

function known(view: View, line: string): Prompt | undefined {
  const found = knownQuestions.find((pattern) => pattern.test(line));
  if (!found || view.cursorPlace === "beneath" || (!waits(view) && looksPrinted(line))) return undefined;
  return shown(line, "a known question", waits(view) ? "sure" : "likely");
}

/** Username for 'https://x':   login:   terraform's and helm's values   inquirer's and prompts' questions */
const knownQuestions: readonly RegExp[] = [
  /^Username( for '[^']{1,200}')?:( \S{1,60})?$/,
  /^([\w.-]{1,60} )?login:$/,
  /^\s{0,4}Enter a value:$/,
  /^\? \S.{0,200} › ?.{0,100}$/,
  /^\? \S.{0,200}[?:] \([^()]{1,80}\)$/,
  /^(Your |Enter (your |a |the )?)?(choice|selection|option)( \[[^\]]{1,20}\])?:$/i,
];

function behindQuestion(view: View, line: string): Prompt | undefined {
  if (!waits(view)) return undefined;
  if (/^\? \S/.test(line)) return shown(line, "an inquirer question", "sure");
  if (!/\S\?( [([][^()[\]]{1,80}[)\]])?:?$/.test(line) || looksPrinted(line)) return undefined;
  return shown(line, "the cursor is after a question", view.spaced ? "sure" : "likely");
}

/** package name: (my-app)   Country Name (2 letter code) [AU]:   Real name: */
function behindColon(view: View, line: string): Prompt | undefined {
  if (!waits(view)) return undefined;
  const found = /^(.{1,160}?)(?::( ?[([][^()[\]]{1,80}[)\]])?|([([][^()[\]]{1,80}[)\]]) ?:)$/.exec(line);
  const label = found?.[1]?.trim() ?? "";
  if (!found || label === "" || looksPrinted(line) || label.split(/\s+/).length > 14) return undefined;
  // Building modules: …   Progress: …   will be followed by more output.
  if (/^\W*\w+ing\b/i.test(label) || busy.test(label) || /\d$|[=/\\]|\.\.\./.test(label)) {
    if (!asksFor.test(label)) return undefined;
  }
  // A long sentence that stops at a colon is unfinished output.
  if (label.split(/\s+/).length > 5 && !asksFor.test(label) && !/[)\]]:?$/.test(line)) return undefined;
  return shown(line, "the cursor is after a label", view.spaced && asksFor.test(label) ? "sure" : "likely");
}

const busy =
  /\b(progress|status|error|warning|output|result|results|done|total|elapsed|eta|remaining|objects|deltas|speed|log|stdout|stderr|step|stage|test|tests|build|compile|info|debug)$/i;
const asksFor =
  /^\W*(please |now )?(enter|type|input|choose|select|pick|provide|specify|give|what|which|who|where|how|your|new|name|set)\b/i;

function shown(line: string, rule: string, confidence: Prompt["confidence"]): Prompt {
  const fallback = /[?:] ?[([]([^()[\]]{1,80})[)\]]:?$|[([]([^()[\]]{1,80})[)\]] ?:$/.exec(line);
  const value = fallback?.[1] ?? fallback?.[2];
  return { kind: "text", text: line.trim(), ...(value === undefined ? {} : { default: value }), rule, confidence };
}
