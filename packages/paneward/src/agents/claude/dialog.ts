import type { ShownQuestion } from "../agent.ts";
import { unproved } from "../proof.ts";
import { identityOf } from "../screen/drawn.ts";
import { menuOptions } from "../screen/menu.ts";
import { numberedOptions, offered, type ShownOptions } from "../screen/options.ts";
import { unwrapped } from "../screen/wrapped.ts";
import { proposalIn } from "./proposal.ts";

/** The question at the end of Claude Code's screen, if there is one. */
export function readDialog(lines: readonly string[], columns: number): ShownQuestion | undefined {
  const shown = numberedOptions(lines);
  if (!shown?.rows.some(({ selected }) => selected) || lines.length - shown.last > 8) {
    return unnumbered(lines, columns);
  }
  const start = topOf(lines.slice(0, shown.first));
  const body = lines.slice(start + 1, shown.first);
  const text = bodyOf(body, columns);
  const kind = kindOf(body, shown);
  const own = kind === "choice" || kind === "multi_choice";
  const freeText = own && shown.rows.some(({ label }) => label === "Chat about this");
  return {
    kind,
    text,
    options: shown.rows.map((row) => offered(row, own)),
    freeText,
    ...(kind === "permission" && proposalIn(body, lines[start], columns)),
    ...(kind === "plan" && unproved("the plan is drawn above Claude's question")),
    ...identityOf(lines.slice(start + 1, shown.last + 1), shown.first - start - 1, columns, own),
  };
}

// What a dialog shows is indented; only a plan's own rule is, too.
function topOf(above: readonly string[]): number {
  const own = above.findLastIndex((line) => /^─{10,}/.test(line));
  return own >= 0 ? own : above.findLastIndex((line) => /^\s*─{10,}/.test(line));
}

function kindOf(body: readonly string[], shown: ShownOptions): ShownQuestion["kind"] {
  if (shown.rows.some(({ checked }) => checked !== undefined)) return "multi_choice";
  const words = body.map((line) => line.trim()).filter(Boolean);
  if (words.some((line) => /^(Exit plan mode\?|Ready to code\?|Here is Claude's plan)/.test(line))) return "plan";
  if (words.some((line) => /^Do you want to /.test(line))) return "permission";
  // Another dialog that asks for permission. A question of the model always offers to talk about it or to type an answer.
  const isQuestion = shown.rows.some(({ label }) => /^(Chat about this|Type something)/.test(label));
  return !isQuestion && shown.rows.some(({ label }) => /^Yes\b/.test(label)) ? "permission" : "choice";
}

/** The words right above the options. */
function bodyOf(body: readonly string[], columns: number): string {
  const words = body.map((line) => line.trim());
  const end = words.findLastIndex((line) => line !== "");
  const above = words.slice(0, end + 1);
  const begin = above.findLastIndex((line) => line === "" || /^[╌─]{10,}|^(←\s+)?[☐☒]/.test(line));
  return unwrapped(above.slice(begin + 1), columns - 4);
}

/** Trust and API key: two options without numbers, chosen by arrows. */
function unnumbered(lines: readonly string[], columns: number): ShownQuestion | undefined {
  if (!/^\s*Enter to confirm/.test(lines.at(-1) ?? "")) return undefined;
  const menu = menuOptions(lines.slice(0, -1), /❯/u);
  if (!menu) return undefined;
  const start = lines.slice(0, menu.first).findLastIndex((line) => /^\s*─{10,}/.test(line));
  const words = lines.slice(start + 1, menu.first).map((line) => line.trim());
  const asks = words.findLastIndex((line) => line.endsWith("?") || /\? \(/.test(line));
  const end = words.indexOf("", asks);
  return {
    kind: "confirm",
    text: unwrapped(words.slice(Math.max(asks, 0), end), columns - 1),
    options: menu.options,
    freeText: false,
    ...identityOf(lines.slice(start + 1, menu.last + 1), menu.first - start - 1, columns),
  };
}
