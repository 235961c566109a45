import type { QuestionOption } from "@paneward/sdk";
import type { ShownQuestion } from "../agent.ts";
import { unproved } from "../proof.ts";
import { identityOf } from "../screen/drawn.ts";
import { numberedOptions, type ShownOption } from "../screen/options.ts";
import { unwrapped } from "../screen/wrapped.ts";
import { commandHeadline, commandIn, type DialogLines } from "./command.ts";

/*
 *   Would you like to run the following command?
 *
 *   Reason: It makes a file
 *
 *   $ touch made.txt
 *
 * › 1. Yes, proceed (y)
 *   2. No, and tell Codex what to do differently (esc)
 *
 *   Press enter to confirm or esc to cancel
 */
export function readCodexDialog(lines: readonly string[], columns: number): ShownQuestion | undefined {
  const shown = numberedOptions(lines);
  if (!shown?.rows.some(({ selected }) => selected)) return undefined;
  const footer = lines.slice(shown.last + 1).join(" ");
  if (!/enter/i.test(footer) || lines.length - shown.last > 6) return undefined;
  const above = lines.slice(0, shown.first);
  const body = above.map((line) => line.trim());
  // The conversation and the command may contain a line like a headline; the dialog's own is the first one below the edge.
  const edge = above.findLastIndex((line) => /^\S/.test(line));
  const known = body.flatMap((line, index) => (index > edge && asking.test(line) ? [index] : []));
  const start = known[0] ?? body.findLastIndex((line) => line.endsWith("?"));
  if (start < 0) return undefined;
  const text = paragraph(body, start, columns);
  const kind = kindOf(text, shown.rows, footer);
  const dialog = { above, edge, start, headlines: known.length, columns };
  return {
    kind,
    text,
    options: shown.rows.map((row) => optionOf(row, kind === "permission")),
    freeText: /tab to add|Type your answer/i.test(footer),
    ...(kind === "permission" && wanted(text, body, dialog)),
    ...(kind === "plan" && unproved("the plan is drawn above Codex's question")),
    ...identityOf(lines.slice(start, shown.last + 1), shown.first - start, columns),
  };
}

const asking =
  /^(Would you like to |Do you want to approve |Allow the |Trust this folder\?|Hooks need review|Choose how you want|Implement this plan\?)/;

function kindOf(text: string, rows: readonly ShownOption[], footer: string): ShownQuestion["kind"] {
  if (/^(Would you like to|Do you want to approve|Allow )/.test(text)) return "permission";
  if (/^(Trust this folder|Hooks need review)/.test(text)) return "confirm";
  if (/^Implement this plan/.test(text)) return "plan";
  // A dialog of a newer Codex that asks for leave. A question of its model's has another footer.
  const asksLeave = /Press enter to confirm/.test(footer) && rows.some(({ label }) => /^(Yes|Allow)\b/.test(label));
  return asksLeave ? "permission" : "choice";
}

function paragraph(body: readonly string[], start: number, columns: number): string {
  const end = body.findIndex((line, index) => index > start && line === "");
  return unwrapped(body.slice(start, end < 0 ? body.length : end), columns - 4);
}

// A description follows the label after two spaces, or is on the lines below.
function optionOf({ number, label, selected, more }: ShownOption, permission: boolean): QuestionOption {
  const [first = "", ...behind] = label.split(/\s{2,}/);
  const rest = permission ? behind : [...behind, ...more];
  return {
    number,
    label: permission ? [first, ...more].join(" ") : first,
    ...(rest.length > 0 && { description: rest.join(" ") }),
    ...(selected && { selected }),
  };
}

function wanted(
  text: string,
  body: readonly string[],
  dialog: DialogLines,
): Pick<ShownQuestion, "proposal" | "whole" | "doubt" | "cut" | "rows"> {
  const below = body.slice(dialog.start);
  const [, server, tool] = /^Allow the (\S+) MCP server to run tool "(\S+)"/.exec(text) ?? [];
  if (server !== undefined) {
    const facts = below.slice(1).filter((line) => line !== "");
    const proposal = { tool: `${server}.${tool}`, more: facts.join("\n") };
    const rows = { lines: facts, width: dialog.columns - 4 };
    return { proposal, rows, ...unproved("Codex's screen may cut what the tool is given") };
  }
  const [, path] = /Destination: (.*)/.exec(below.join("\n")) ?? [];
  if (path !== undefined) {
    const proposal = { tool: "apply_patch", path, diff: diffAbove(body.slice(0, dialog.start)) };
    return { proposal, ...unproved("the change is drawn above Codex's dialog") };
  }
  const command = text === commandHeadline ? commandIn(dialog) : undefined;
  const rest = { proposal: { more: below.slice(1).join("\n").trim() } };
  return command ?? { ...rest, ...unproved("only Codex's screen shows what would be allowed") };
}

// The change is drawn in the conversation, above the question.
function diffAbove(above: readonly string[]): string {
  const from = above.findLastIndex((line) => /^• (Added|Edited|Deleted|Updated) /.test(line));
  const lines = above.slice(from + 1).filter((line) => /^\d+ |^[⋮…]/.test(line));
  return lines.join("\n");
}
