import type { ShownQuestion } from "../agent.ts";
import { byScreen, unproved } from "../proof.ts";
import { unwrapped } from "../screen/wrapped.ts";

/*
 *  Edit file                    the title
 *  notes.md                     what it is about
 * ╌╌╌╌╌╌╌╌╌╌╌╌╌
 *  3 -first                     what would be done
 * ╌╌╌╌╌╌╌╌╌╌╌╌╌
 *  Do you want to make this edit to notes.md?
 */
export function proposalIn(
  body: readonly string[],
  top: string | undefined,
  columns: number,
): Pick<ShownQuestion, "proposal" | "whole" | "proof" | "doubt" | "cut" | "rows"> {
  const end = endIn(body);
  if (end !== undefined) {
    const rows = { lines: end, width: columns - 4 };
    return { proposal: { command: unwrapped(end, columns - 4) }, rows, cut: "begin", ...unproved(unproven) };
  }
  const first = body.findIndex((line) => isRule.test(line));
  const last = body.findLastIndex((line) => isRule.test(line));
  const [title = "", about] = body.slice(0, first).flatMap((line) => line.trim() || []);
  const content = body.slice(first + 1, last).map((line) => line.trimEnd());
  if (title === "Bash command") {
    const rows = commandRows(content);
    const hasEdges = top === "─".repeat(columns) && hasTwoRules(body, columns);
    const proposal = { tool: "Bash", command: unwrapped(rows, columns - 3) };
    const drawn = { lines: rows, width: columns - (isBarredIn(content) ? 4 : 3) };
    return { proposal, rows: drawn, ...(hasEdges && isExact(content) ? byScreen : unproved(unproven)) };
  }
  const inside = content.map((line) => line.replace(/^ /, ""));
  const path = about === undefined ? {} : { path: about };
  const drawn = unproved("Claude's screen does not prove a change or an input whole");
  if (title === "Create file") return { proposal: { tool: "Write", ...path, diff: content.join("\n") }, ...drawn };
  if (title === "Edit file") return { proposal: { tool: "Edit", ...path, diff: content.join("\n") }, ...drawn };
  if (title === "Tool use" && about !== undefined) {
    const rows = { lines: inside, width: columns - 3 };
    return { proposal: { tool: about, more: inside.join("\n") }, rows, ...drawn };
  }
  return { proposal: { ...(title && { tool: title }), more: [about ?? "", ...inside].join("\n").trim() }, ...drawn };
}

/** What is seen of a command whose dialog is higher than the screen: its last rows. */
function endIn(body: readonly string[]): readonly string[] | undefined {
  const [rule, ...more] = body.flatMap((line, index) => (isRule.test(line) ? [index] : []));
  if (rule === undefined || more.length > 0) return undefined;
  const rows = body.slice(body.slice(0, rule).findLastIndex((line) => !barred.test(line)) + 1, rule);
  return rows.length === 0 ? undefined : rows.map((row) => row.slice(3));
}

const unproven = "Claude's screen does not prove a command of several rows, nor a part of its dialog";

// The dialog's own rules begin in the first column, and what it shows in the second.
const isRule = /^╌{10,}/;
const barred = /^ │( |$)/;

function hasTwoRules(body: readonly string[], columns: number): boolean {
  const rules = body.filter((line) => isRule.test(line));
  return rules.length === 2 && rules.every((line) => line === "╌".repeat(columns));
}

// Several rows have a bar at their left, except in a narrow pane.
function commandRows(content: readonly string[]): readonly string[] {
  const start = isBarredIn(content) ? 3 : 1;
  return content.map((line) => line.slice(start));
}

function isBarredIn(content: readonly string[]): boolean {
  return content.length > 1 && content.every((line) => barred.test(line));
}

// A row ends at a line's end, or where the next words did not fit: `echo a`, many blanks and `b` look like two lines. Blanks
// behind a backslash are not drawn. Claude Code refuses a command with control characters.
function isExact(content: readonly string[]): boolean {
  const [row, ...more] = content;
  return row !== undefined && more.length === 0 && /^ .*[^\\]$/.test(row);
}
