import { isBorder, withoutFooter } from "./footer.ts";
import type { Prompt, PromptOption } from "./prompt.ts";
import { questionAbove, readsAsQuestion } from "./question-above.ts";
import type { View } from "./view.ts";

/** Numbered options: with a pointer on one of them, or with a line below that asks for a number. */
export function numberedMenu(view: View): Prompt | undefined {
  return withPointer(view) ?? withNumberPrompt(view);
}

// │ ❯ 1. Yes │     › 2) No     ● 1. Allow once
const row = /^[\s│┃|]*([❯›>▸▶➤→»●*]?)\s*\(?(\d{1,2})[.):]\s{1,3}(\S.*?)[\s│┃|]*$/;

/** Claude's, Codex's and Gemini's dialogs: numbers in sequence and one pointer; a list in prose has none. */
function withPointer(view: View): Prompt | undefined {
  const { body } = withoutFooter([...view.above, view.line, ...view.below]);
  const found = sequenceAtEnd(body);
  const options = found.map((entry) => entry.option);
  const first = found[0];
  if (!first || options.length < 2 || first.option.key !== "1") return undefined;
  if (options.filter(({ selected }) => selected).length !== 1) return undefined;
  const rule = "numbered options with a pointer";
  return { kind: "menu", text: questionAbove(body.slice(0, first.at)), options, rule, confidence: "sure" };
}

interface Numbered {
  readonly at: number;
  readonly option: PromptOption;
}

/** Options n … 1, read upwards; only borders and indented descriptions may be between or below them. */
function sequenceAtEnd(body: readonly string[]): readonly Numbered[] {
  const found: Numbered[] = [];
  for (let at = body.length - 1, gap = 0; at >= 0 && gap < 7; at -= 1, gap += 1) {
    const line = body[at] ?? "";
    const [, mark, number, label] = row.exec(line) ?? [];
    if (mark === undefined || number === undefined || label === undefined) {
      if (!isBorder(line) && !/^[\s│┃|]{3,}\S/.test(line)) break;
      continue;
    }
    const next = found[0];
    if (next && Number(number) !== Number(next.option.key) - 1) break;
    found.unshift({ at, option: option(number, label, mark !== "") });
    gap = 0;
    if (number === "1") break;
  }
  return found;
}

function option(key: string, label: string, selected: boolean): PromptOption {
  return { key, label: label.trim(), ...(selected ? { selected } : {}) };
}

/** bash select: 1) foo  3) baz / 2) bar / #?     Enter your choice [1-3]: */
function withNumberPrompt(view: View): Prompt | undefined {
  if (view.below.length > 0 || (view.cursorPlace !== "behind" && view.cursorPlace !== "unknown")) return undefined;
  const select = /^#\?/.test(view.line);
  if (
    !(select
      ? view.cursorPlace === "behind" || view.line === "#?"
      : forNumber.test(view.line) || (view.cursorPlace === "behind" && /[:?>]$/.test(view.line)))
  )
    return undefined;
  const rows = listAbove(view.above);
  const options = rows.flatMap(inColumns).sort((one, other) => Number(one.key) - Number(other.key));
  const first = Number(options[0]?.key);
  if (options.length < (select ? 1 : 2) || options.some(({ key }, index) => Number(key) !== first + index))
    return undefined;
  const text = questionText(view.line, view.above.slice(0, view.above.length - rows.length), select);
  const fallback = /\[(?:default[ =:]*)?(\d{1,2})\]|\(default[ =:]*(\d{1,2})\)/i.exec(view.line);
  const value = fallback?.[1] ?? fallback?.[2];
  return {
    kind: "menu",
    text,
    options,
    ...(value === undefined ? {} : { default: value }),
    rule: select ? "bash select" : "numbered options and a line that asks for one",
    confidence: view.cursorPlace === "behind" ? "sure" : "likely",
  };
}

const forNumber =
  /\b(choice|choose|select|selection|option|number|enter|pick|which|type|press)\b.{0,80}[:?>]$|^\S{0,3}>$|\[\d{1,2}([-/,]\d{1,2}){0,9}\] ?[:?>]?$/i;

// "Your choice?" does not say what is chosen; the line above the options does.
const onlyAChoice =
  /^(?:please )?(?:your|enter|make|type|select|choose|pick|an?|the|one|number|of| )*(?:choice|selection|option|number|answer)?(?: ?[[(][^\])]{1,20}[\])])? ?[:?>]$/i;

function questionText(line: string, over: readonly string[], select: boolean): string {
  const above = questionAbove(over);
  const isAbove = select ? above !== "" : onlyAChoice.test(line) && readsAsQuestion(above);
  return isAbove ? above : line.trim();
}

function listAbove(above: readonly string[]): readonly string[] {
  let end = above.length;
  while (end > 0 && above[end - 1] === "") end -= 1;
  let start = end;
  while (start > 0 && /^\s*[[(]?\d{1,3}[\]).:]\s/.test(above[start - 1] ?? "")) start -= 1;
  return above.slice(start);
}

function inColumns(line: string): readonly PromptOption[] {
  return line.split(/\s{2,}(?=[[(]?\d{1,3}[\]).:]\s)/).flatMap((part) => {
    const [, key, label] = /^\s*[[(]?(\d{1,3})[\]).:]\s+(\S.*)$/.exec(part) ?? [];
    return key !== undefined && label !== undefined ? [option(key, label, false)] : [];
  });
}
