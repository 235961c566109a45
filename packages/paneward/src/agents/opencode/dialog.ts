import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../agent.ts";
import { unproved } from "../proof.ts";
import { identityOf } from "../screen/drawn.ts";
import { numberedOptions } from "../screen/options.ts";
import { trimmed, unwrapped } from "../screen/wrapped.ts";

/** The question in the last bar of opencode's screen. Only colour shows which option is selected. */
export function readOpencodeDialog(lines: readonly string[], columns: number): ShownQuestion | undefined {
  const last = lines.findLastIndex((line) => /^\s*┃/.test(line));
  if (last < 0 || lines.length - last > 3) return undefined;
  let top = last;
  while (/^\s*┃/.test(lines[top - 1] ?? "")) top -= 1;
  const bar = lines.slice(top, last + 1).map((line) => line.replace(/^\s*┃ {0,2}/, ""));
  return permissionIn(bar, columns) ?? questionIn(bar, columns);
}

const buttons = /^\s*(Allow once)\s{2,}(Allow always)\s{2,}(Reject)|^\s*(Confirm)\s{2,}(Cancel)/;

function permissionIn(bar: readonly string[], columns: number): ShownQuestion | undefined {
  const title = bar.findIndex((line) => /^△ /u.test(line));
  const row = bar.findLastIndex((line) => buttons.test(line));
  if (title < 0 || row < title) return undefined;
  const labels = (buttons.exec(bar[row] ?? "") ?? []).slice(1).filter((label) => label !== undefined);
  return {
    kind: "permission",
    text: (bar[title] ?? "").slice(2).trim(),
    options: labels.map((label, index) => ({ number: index + 1, label })),
    freeText: false,
    ...wanted(bar.slice(title + 1, row), columns),
    // Seven lines are drawn, and nothing says that there are more.
    ...unproved("opencode's screen may show the first lines only"),
    cut: "end",
    ...identityOf(bar.slice(title, row), row - title, columns),
  };
}

function wanted(body: readonly string[], columns: number): Pick<ShownQuestion, "proposal" | "rows"> {
  const dollar = body.findIndex((line) => line.startsWith("$ "));
  const proposal = proposalOf(body, columns);
  if (proposal.command === undefined) return { proposal };
  return { proposal, rows: { lines: trimmed(body.slice(dollar)), width: columns - 9, lead: "$ " } };
}

function proposalOf(body: readonly string[], columns: number): Proposal {
  const words = body.map((line) => line.trimEnd()).filter((line) => line !== "");
  const [head = "", ...rest] = words;
  const [, tool, path] = /^\s*→ (\S+) (.*)$/u.exec(head) ?? [];
  if (tool !== undefined && path !== undefined) return { tool, path, diff: rest.join("\n") };
  const dollar = body.findIndex((line) => line.startsWith("$ "));
  if (dollar >= 0) return { tool: "bash", command: unwrapped(trimmed(body.slice(dollar)), columns - 9).slice(2) };
  return { more: words.map((line) => line.trim()).join("\n") };
}

function questionIn(bar: readonly string[], columns: number): ShownQuestion | undefined {
  const footer = bar.findLastIndex((line) => /esc dismiss/.test(line));
  const shown = numberedOptions(bar);
  if (footer < 0 || !shown) return undefined;
  const words = bar.slice(0, shown.first).map((line) => line.trim());
  const end = words.findLastIndex((line) => line !== "");
  const begin = words.slice(0, end).lastIndexOf("");
  return {
    kind: shown.rows.some(({ checked }) => checked !== undefined) ? "multi_choice" : "choice",
    text: unwrapped(words.slice(begin + 1, end + 1), columns - 8),
    options: shown.rows.map(({ number, label, checked, more }) => ({
      number,
      label,
      ...(more.length > 0 && { description: more.join(" ") }),
      ...(checked !== undefined && { checked }),
    })),
    freeText: shown.rows.some(({ label }) => /^Type your own answer/.test(label)),
    ...identityOf(bar.slice(0, shown.last + 1), shown.first, columns),
  };
}
