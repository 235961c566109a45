import type { Prompt, PromptOption } from "./prompt.ts";
import type { View } from "./view.ts";

/**
 * The question that clack has open:
 *   ◆  Pick a project type.
 *   │  ● TypeScript (recommended)
 *   │  ○ JavaScript
 *   └
 * An answered one has ◇ instead.
 */
export function clack(view: View): Prompt | undefined {
  const rows = [...view.above, view.line, ...view.below];
  const at = rows.findLastIndex((row) => /^[◆▲] {1,3}\S/u.test(row));
  if (at < 0) return undefined;
  const rest = rows.slice(at + 1);
  const end = rest.findIndex((row) => /^└/u.test(row));
  const inner = end < 0 ? rest : rest.slice(0, end);
  if (inner.length === 0 || inner.some((row) => !/^│/u.test(row))) return undefined;
  if (end >= 0 && rest.slice(end + 1).some((row) => row !== "")) return undefined;
  const options = inner.flatMap(optionsOf);
  const yesNo =
    options.length === 2 && /^yes\b/i.test(options[0]?.label ?? "") && /^no\b/i.test(options[1]?.label ?? "");
  const kind = yesNo
    ? "confirm"
    : options.length > 0
      ? "menu"
      : inner.some((row) => /^│\s+▪/u.test(row))
        ? "password"
        : "text";
  const text = (rows[at] ?? "").replace(/^\S\s+/u, "");
  return { kind, text, ...(options.length > 0 ? { options } : {}), rule: "clack's open question", confidence: "sure" };
}

function optionsOf(row: string): readonly PromptOption[] {
  const found = row.replace(/^│\s+/u, "").matchAll(/([●○◼◻■□])\s+([^●○◼◻■□]{1,120})/gu);
  return [...found].map(([, mark = "", label = ""]) => {
    const several = /[◼◻■□]/u.test(mark);
    return {
      label: label.replace(/\s*\/?\s*$/, ""),
      ...(mark === "●" ? { selected: true } : {}),
      ...(several ? { checked: /[◼■]/u.test(mark) } : {}),
    };
  });
}
