import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import { isDrawnAs, rowsOf } from "./drawn-as.ts";

type Drawn = Pick<ShownQuestion, "proposal" | "region" | "drawn" | "rows" | "text">;

/**
 * How much of what a tool is given a dialog shows: field by field and nothing else, every value somewhere, or not that.
 * Agents list fields in the order of the input or of their names, and write texts with or without quotes.
 */
export function showsInput(screen: Drawn, own: Proposal): "whole" | "part" | "no" {
  const rows = screen.rows ?? rowsOf(screen.proposal?.more ?? "");
  const fields = fieldsOf(own);
  if (fields && listings(fields).some((text) => isDrawnAs(text, rows))) return "whole";
  const values = fields ? Object.values(fields).flatMap(leavesIn) : linesIn(own.more);
  return values.length > 0 && values.every((value) => isDrawn(screen, value)) ? "part" : "no";
}

/** Whether anything is known of what it is given. */
export function hasInput({ command, path, diff, more }: Proposal): boolean {
  return (command ?? path ?? diff ?? more) !== undefined;
}

// Of a tool that is given a command or a file, not all names of fields are known.
function fieldsOf({ command, path, diff, more }: Proposal): Readonly<Record<string, unknown>> | undefined {
  const rest = objectIn(more);
  if (more !== undefined && !rest) return undefined;
  if (path !== undefined || diff !== undefined) return undefined;
  return { ...(command === undefined ? {} : { command }), ...rest };
}

function objectIn(more: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(more ?? "");
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Words of the agent's own.
    return undefined;
  }
}

function listings(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const given = Object.entries(fields);
  const byName = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const plain = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return [given, byName].flatMap((entries) =>
    [plain, JSON.stringify].map((write) => entries.map(([name, value]) => `${name}: ${write(value)}`).join("\n")),
  );
}

function leavesIn(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leavesIn);
  return value === "" || value === null ? [] : [String(value)];
}

function linesIn(more = ""): readonly string[] {
  return more.split("\n").filter((line) => line.trim() !== "");
}

// A word by itself: `ls` is not in `tools`. A long text may be wrapped.
function isDrawn({ region, drawn, text }: Drawn, value: string): boolean {
  const shown = drawn?.text ?? `${region} ${text}`;
  for (let at = shown.indexOf(value); at >= 0; at = shown.indexOf(value, at + 1)) {
    if (!isWord(shown[at - 1]) && !isWord(shown[at + value.length])) return true;
  }
  const whole = squeezed(value);
  return whole.length >= wrappedFrom && squeezed(shown).includes(whole);
}

const wrappedFrom = 24;

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
}

function squeezed(text: string): string {
  return text.replace(/[\s│┃\p{Cc}\p{Cf}]+/gu, "");
}
