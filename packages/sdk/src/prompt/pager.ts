import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** A pager or viewer that stopped at the end of a page. */
export function pager(view: View): Prompt | undefined {
  if (view.below.length > 0 || view.cursorPlace === "inside" || view.cursorPlace === "away") return undefined;
  const line = view.line.trim();
  if (view.cursorPlace !== "beneath" && endsPage.some((pattern) => pattern.test(line))) {
    return { kind: "pager", text: line, rule: "the last line of a pager", confidence: "sure" };
  }
  // less without a file name: a lone colon under a page of text. vim's command line looks the same, below its tildes.
  const alone = line === ":" && view.cursorPlace !== "beneath" && view.above.length > 0 && view.above.at(-1) !== "~";
  const confidence = view.cursorPlace === "behind" ? "sure" : "likely";
  return alone ? { kind: "pager", text: line, rule: "the colon of less", confidence } : undefined;
}

const endsPage: readonly RegExp[] = [
  /^-- ?More ?--( ?\([^()]{1,60}\))?(\[[^[\]]{1,80}\])?$/i,
  /^(.{1,120} )?\(END\)( - Next: .{1,120})?$/,
  /^lines \d+-\d+(\/\d+)?( \d+%| \(END\))?( \(press .{1,60}\))?$/,
  /^.{1,120} lines? \d+(-\d+)?(\/\d+)?( \d+%)?( \(END\))? ?\(press h for help or q to quit\)$/,
  /^.{1,120} lines \d+-\d+\/\d+ (\d+%|\(END\))$/,
  /^Manual page .{1,80} (line \d+|byte \d+).{0,40}\(press h for help or q to quit\)$/,
  /^(\.\.\.skipping\.\.\.|HELP -- Press RETURN for more, or q when done)$/,
  /^byte \d+(\/\d+)?( \d+%)?( \(END\))?$/,
];
