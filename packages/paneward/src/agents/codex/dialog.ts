import type { Proposal, QuestionOption } from "@paneward/sdk";
import type { ShownQuestion } from "../agent.ts";
import { numberedOptions, type ShownOption } from "../screen/options.ts";
import { regionOf, unwrapped } from "../screen/wrapped.ts";

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
  const body = lines.slice(0, shown.first).map((line) => line.trim());
  const known = body.findLastIndex((line) => asking.test(line));
  const start = known >= 0 ? known : body.findLastIndex((line) => line.endsWith("?"));
  if (start < 0) return undefined;
  const text = paragraph(body, start, columns);
  const kind = kindOf(text);
  return {
    kind,
    text,
    options: shown.rows.map((row) => optionOf(row, kind === "permission")),
    freeText: /tab to add|Type your answer/i.test(footer),
    ...(kind === "permission" && { proposal: proposalOf(text, body, start, columns) }),
    region: regionOf(lines.slice(start, shown.last + 1)),
  };
}

const asking =
  /^(Would you like to |Allow the |Trust this folder\?|Hooks need review|Choose how you want|Implement this plan\?)/;

function kindOf(text: string): ShownQuestion["kind"] {
  if (/^(Would you like to|Allow )/.test(text)) return "permission";
  if (/^(Trust this folder|Hooks need review)/.test(text)) return "confirm";
  return /^Implement this plan/.test(text) ? "plan" : "choice";
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

function proposalOf(text: string, body: readonly string[], start: number, columns: number): Proposal {
  const below = body.slice(start);
  const [, server, tool] = /^Allow the (\S+) MCP server to run tool "(\S+)"/.exec(text) ?? [];
  if (server !== undefined) {
    const facts = below.slice(1).filter((line) => line !== "");
    return { tool: `${server}.${tool}`, more: facts.join("\n") };
  }
  const [, path] = /Destination: (.*)/.exec(below.join("\n")) ?? [];
  if (path !== undefined) return { tool: "apply_patch", path, diff: diffAbove(body.slice(0, start)) };
  const dollar = below.findIndex((line) => line.startsWith("$ "));
  if (dollar < 0) return { more: below.slice(1).join("\n").trim() };
  const end = below.findIndex((line, index) => index > dollar && line === "");
  const command = below.slice(dollar, end < 0 ? below.length : end);
  return { tool: "shell", command: unwrapped(command, columns - 4).slice(2) };
}

// The change is drawn in the conversation, above the question.
function diffAbove(above: readonly string[]): string {
  const from = above.findLastIndex((line) => /^• (Added|Edited|Deleted|Updated) /.test(line));
  const lines = above.slice(from + 1).filter((line) => /^\d+ |^[⋮…]/.test(line));
  return lines.join("\n");
}
