import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../agent.ts";
import { unproved } from "../proof.ts";
import { identityOf } from "../screen/drawn.ts";
import { numberedOptions, offered, type ShownOption } from "../screen/options.ts";
import { regionOf, unwrapped } from "../screen/wrapped.ts";

/** The question in the last box of Gemini's screen. */
export function readGeminiDialog(lines: readonly string[], columns: number): ShownQuestion | undefined {
  const bottom = lines.findLastIndex((line) => /^\s?╰─{10,}╯/.test(line));
  const top = lines.slice(0, bottom).findLastIndex((line) => /^\s?╭─{10,}╮/.test(line));
  if (lines.length - bottom > 8 || !isFramed(lines.slice(top + 1, bottom))) return undefined;
  const box = lines.slice(top + 1, bottom).map(unframed);
  const shown = numberedOptions(box);
  const answering = /^Answer Questions/.test(box[0]?.trim() ?? "");
  if (!shown?.rows.some(({ selected }) => selected)) return answering ? freeAnswer(box) : undefined;
  const body = box.slice(0, shown.first);
  const text = askedIn(body, columns);
  const kind = kindOf(text, answering, shown.rows);
  return {
    kind,
    text,
    options: shown.rows.map((row) => offered(row, answering)),
    freeText: answering && shown.rows.some(({ label }) => /custom value/.test(label)),
    ...(kind === "permission" && wanted(body, columns)),
    ...identityOf(box.slice(0, shown.last + 1), shown.first, columns, answering),
  };
}

// Of a dialog that is higher than the screen, only the end is seen.
function isFramed(lines: readonly string[]): boolean {
  return lines.length > 0 && lines.every((line) => /^\s?│/.test(line));
}

function kindOf(text: string, answering: boolean, rows: readonly ShownOption[]): ShownQuestion["kind"] {
  if (rows.some(({ checked }) => checked !== undefined)) return "multi_choice";
  if (answering) return "choice";
  // A tool may have "trust" in its name.
  if (/^(Allow|Apply)|want to proceed\?/.test(text) || rows.some(({ label }) => /^(Allow|Yes)\b/.test(label))) {
    return "permission";
  }
  return /trust/i.test(text) ? "confirm" : "choice";
}

// The last paragraph that ends with a question mark, else the last one.
function askedIn(body: readonly string[], columns: number): string {
  const paragraphs: string[][] = [[]];
  for (const line of body.map((one) => one.trim())) {
    if (line === "" || /^[╭╰▲▼│]|^\(.*\)$/u.test(line)) paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  const texts = paragraphs.filter((lines) => lines.length > 0).map((lines) => unwrapped(lines, columns - 6));
  return texts.findLast((text) => text.endsWith("?")) ?? texts.at(-1) ?? "";
}

function freeAnswer(box: readonly string[]): ShownQuestion | undefined {
  const row = box.findLastIndex((line) => /^\s*>/.test(line));
  if (row < 0) return undefined;
  const text = box.slice(0, row).findLast((line) => line.trim() !== "") ?? "";
  return { kind: "text", text: text.trim(), options: [], freeText: true, region: regionOf(box.slice(0, row)) };
}

/*
 * ? Shell  touch made.txt
 * ╭──────────────────╮
 * │ touch made.txt   │
 * ╰──────────────────╯
 * Allow execution of [Shell]?
 */
function wanted(
  body: readonly string[],
  columns: number,
): Pick<ShownQuestion, "proposal" | "whole" | "doubt" | "cut" | "rows"> {
  const inner = body.filter((line) => /^\s*│/.test(line)).map((line) => unframed(line).trimEnd());
  const rows = inner.filter((line) => !hidden.test(line));
  const [, lines] = hidden.exec(inner.join("\n")) ?? [];
  // It draws `a\x1b]0;; rm x;\x07b` as `ab`, and runs all of it.
  const doubt =
    lines === undefined ? "Gemini leaves out what is inside escape sequences" : `Gemini hides ${lines} lines`;
  return {
    proposal: proposalOf(body, rows, columns),
    rows: { lines: rows, width: columns - 8 },
    ...unproved(doubt),
    ...(lines !== undefined && { cut: "begin" }),
  };
}

const hidden = /^\.\.\. (?:first|last) (\d+) lines? hidden/m;

function proposalOf(body: readonly string[], inner: readonly string[], columns: number): Proposal {
  const header =
    body
      .find((line) => /^\? /.test(line.trim()))
      ?.trim()
      .slice(2) ?? "";
  const [name = "", about = ""] = header.split(/\s{2,}/);
  const [, shell] = /execution of \[(.*?)\]/.exec(body.join(" ")) ?? [];
  if (shell !== undefined && inner.length > 0) return { tool: shell, command: unwrapped(inner, columns - 8) };
  const [, path] = /^(?:Writing to )?(\S+?):?(?: |$)/.exec(about) ?? [];
  if (inner.length > 0) return { tool: name, ...(path !== undefined && { path }), diff: inner.join("\n") };
  const [, tool, server] = /MCP tool "(.*?)" from server "(.*?)"/.exec(body.join(" ")) ?? [];
  const [, input] = /(\{.*)$/.exec(header) ?? [];
  return { tool: tool === undefined ? name : `${server}.${tool}`, ...(input !== undefined && { more: input }) };
}

function unframed(line: string): string {
  return line.replace(/^\s*│ ?/, "").replace(/\s*│$/, "");
}
