import { clack } from "./clack.ts";
import { dialog } from "./dialog.ts";
import { namesKeys, withoutFooter } from "./footer.ts";
import type { Prompt, PromptOption } from "./prompt.ts";
import { questionAbove, readsAsQuestion } from "./question-above.ts";
import type { View } from "./view.ts";

/** Lists navigated with arrow keys, as drawn by inquirer, prompts, clack, gum, fzf and dialog. */
export function picker(view: View): Prompt | undefined {
  return fzf(view) ?? clack(view) ?? dialog(view) ?? toggle(view) ?? pointerList(view);
}

// ❯ React     > Red     ❯◉ lint     > [x] tests     ● Yes
const pointer =
  /^([\s│┃|]{0,6})([❯›>▸▶➤→»▌◉●])(\s{0,4})((?:[◉◯●○◻◼☑☐■□✔]|\[[ xX*✓✔]\]|\([ xX*]\))\s{0,2})?([\p{L}\p{N}"'`./@<(~].*)$/u;
const sibling = /^([\s│┃|]{0,10})((?:[◉◯●○◻◼☑☐■□✔]|\[[ xX*✓✔]\]|\([ xX*]\))\s{0,4})?(\S.*)$/u;

function pointerList(view: View): Prompt | undefined {
  const { body, hinted } = withoutFooter([...view.above, view.line, ...view.below]);
  const start = blockStart(body);
  const rows = body.slice(start);
  const pointers = rows.filter((row) => pointer.test(row));
  const [, lead = "", mark = "", space = "", box = "", label = ""] = pointer.exec(pointers[0] ?? "") ?? [];
  if (rows.length < 2 || pointers.length !== 1 || label === "") return undefined;
  const column = lead.length + mark.length + space.length + box.length;
  const options = rows.flatMap((row) => listed(row, column, row === pointers[0]));
  const header = questionAbove(body.slice(0, start));
  const library = /^[?◆] \S/.test(header);
  if (options.length < 2 || !(library || hinted || readsAsQuestion(header))) return undefined;
  // A lone > also quotes in mail and Markdown, and ● opens lists of states: those also need key names or a library's
  // mark.
  const plain = mark === ">" || mark === "●" || mark === "→" || mark === "»";
  const asksToChoose =
    /\b(choose|select|pick|which)\b/i.test(header) && view.cursorPlace !== "beneath" && view.cursorPlace !== "unknown";
  if (plain && !library && !hinted && !asksToChoose && !namesKeys(header)) return undefined;
  if (view.cursorPlace === "beneath" && !library && !hinted) return undefined;
  const text = header === "" ? label.trim() : header;
  return {
    kind: "menu",
    text,
    options,
    rule: "a list with a pointer",
    confidence: library || hinted ? "sure" : "likely",
  };
}

/** The list is the last run of rows without a gap, up to the question. */
function blockStart(body: readonly string[]): number {
  let start = body.length;
  while (start > 0 && body.length - start < 30) {
    const row = body[start - 1] ?? "";
    if (row.trim() === "" || /^\s{0,2}[?◆] /.test(row)) break;
    if (!pointer.test(row) && !/^[\s│┃|]{1,10}\S/u.test(row) && !/^[◯○◻☐]|^\[[ xX*]\]/u.test(row)) break;
    start -= 1;
  }
  return start;
}

function listed(row: string, column: number, selected: boolean): readonly PromptOption[] {
  const found = selected ? pointer.exec(row) : sibling.exec(row);
  const box = (selected ? found?.[4] : found?.[2])?.trim();
  const label = selected ? found?.[5] : found?.[3];
  if (label === undefined || (!selected && box === undefined && row.length - label.length > column + 1)) return [];
  const checked = box === undefined || box === "" ? {} : { checked: /[◉●◼☑■✔✓xX*]/u.test(box) };
  return [{ label: label.trim(), ...(selected ? { selected } : {}), ...checked }];
}

/** prompts: ? Overwrite? › no / yes */
function toggle(view: View): Prompt | undefined {
  const found = /^\? (\S.{0,160}) › (\w{1,12}) \/ (\w{1,12})$/.exec(view.line);
  if (!found || view.below.length > 0) return undefined;
  const options = [{ label: found[2] ?? "" }, { label: found[3] ?? "" }];
  return { kind: "confirm", text: found[1] ?? "", options, rule: "a toggle", confidence: "sure" };
}

/** fzf: the query on a line of its own, the count 3/10 on the line beside it, a pointer in the list. */
function fzf(view: View): Prompt | undefined {
  const rows = [...view.above, view.line, ...view.below];
  const count = /^\s{0,4}[⠀-⣿]?\s?\d{1,9}\/\d{1,9}( \(\d+\))?( [─-]{0,400})?$/u;
  const at = rows.findLastIndex((row) => count.test(row));
  const query = [rows[at + 1], rows[at - 1]].find((row) => row !== undefined && /^\S{0,20}>( |$)/.test(row));
  if (at < 0 || query === undefined) return undefined;
  const under = query === rows[at + 1];
  // On its own screen the list fills the rest; below the query only key names may follow.
  if (under ? rows.slice(at + 2).some((row) => row !== "") : at !== 1 && view.below.length === 0) return undefined;
  const list = (under ? rows.slice(0, at) : rows.slice(at + 1)).filter(
    (row) => /^[>▌ ] ?\S/u.test(row) || /^ {2}\S/.test(row),
  );
  const options = list.slice(-20).map((row) => ({
    label: row.slice(1).trim(),
    ...(/^[>▌]/u.test(row) ? { selected: true } : {}),
  }));
  if (!options.some((option) => "selected" in option)) return undefined;
  return { kind: "menu", text: query.trim(), options, rule: "a fuzzy finder", confidence: "likely" };
}
