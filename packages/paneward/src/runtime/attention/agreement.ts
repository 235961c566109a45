import type { Proposal, Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import { isDrawnAs, rowsOf } from "./drawn-as.ts";
import { showsInput } from "./shows-input.ts";
import { isServerTool, isToolNamed } from "./tool-names.ts";

/** `unclear`: the screen does not show it, and nothing else that is known. */
export type Agreement = "same" | "other" | "unclear";

type Drawn = Pick<ShownQuestion, "kind" | "text" | "proposal" | "region" | "drawn" | "rows" | "cut">;

/** Whether a dialog shows what the agent itself reported, however it is wrapped, quoted or cut. */
export function agreement(screen: Drawn, own: Pick<Question, "kind" | "proposal">): Agreement {
  // A plan is drawn above its question.
  if (own.kind === "plan" || screen.kind === "plan") return own.kind === screen.kind ? "same" : "unclear";
  const { proposal = {} } = own;
  if (isServerTool(proposal.tool)) return onInput(screen, proposal);
  if (proposal.command !== undefined) return onCommand(screen, proposal.command);
  if (proposal.path !== undefined) return onFile(screen, proposal.path, proposal.diff);
  return proposal.more === undefined ? "unclear" : onInput(screen, proposal);
}

function onCommand(screen: Drawn, command: string): Agreement {
  const { command: drawn, path, tool } = screen.proposal ?? {};
  if (drawn === undefined) return (path ?? tool) === undefined ? "unclear" : "other";
  return isSameCommand(screen, command) ? "same" : "other";
}

function onFile({ proposal: drawn = {} }: Drawn, path: string, diff: string | undefined): Agreement {
  const { path: shown } = drawn;
  if (shown === undefined) return drawn.command === undefined ? "unclear" : "other";
  const isThere = path.split(", ").some((one) => isSamePath(shown, one));
  return isThere && isSameChange(drawn.diff, diff) ? "same" : "other";
}

function onInput(screen: Drawn, reported: Proposal): Agreement {
  const { command, path, tool: drawn = "" } = screen.proposal ?? {};
  if ((command ?? path) !== undefined) return "other";
  const { tool = "" } = reported;
  const sight = isServerTool(tool) && !isToolNamed(drawn, tool) ? "no" : showsInput(screen, reported);
  return sight === "whole" || (sight === "part" && !isServerTool(tool)) ? "same" : "unclear";
}

/** Whether a dialog draws this command: wrapped, without a shell's `-lc` around it, or cut at an end. */
export function isSameCommand({ proposal, rows, cut }: Pick<Drawn, "proposal" | "rows" | "cut">, own: string): boolean {
  const drawn = rows ?? rowsOf(proposal?.command ?? "");
  return [own, unquoted(own)].some((one) => isDrawnAs(one, drawn, cut));
}

/** A screen shows a path from where the agent works. Two that begin at the root are the same only if they are equal. */
export function isSamePath(one: string, other: string): boolean {
  const [a, b] = [one, other].map(withoutPrivate) as [string, string];
  if (a.startsWith("/") && b.startsWith("/")) return a === b;
  return isPathOf(a, b) || isPathOf(b, a);
}

// macOS reaches /tmp and /var also below /private.
function withoutPrivate(path: string): string {
  return path.replace(/^\/private(?=\/(?:tmp|var)\/)/, "");
}

function isPathOf(whole: string, part: string): boolean {
  return whole === part || whole.endsWith(`/${part.replace(/^(~|\.)?\//, "")}`);
}

// `3 +changed` and `3 + changed` are lines that would be added.
function isSameChange(drawn = "", own = ""): boolean {
  const lines = drawn.split("\n").flatMap((line) => /^\s*\d+ [+-] ?(.*?)…?$/.exec(line)?.[1] ?? []);
  return own === "" || lines.every((line) => squeezed(own).includes(squeezed(line)));
}

// What no terminal draws: agents leave out control characters and tabs.
function squeezed(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, "");
}

// The command inside of `bash -lc '…'`, if that is one word: what is between double quotes may be replaced by a shell.
function unquoted(command: string): string {
  const [, given = ""] = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c ([\s\S]*)$/.exec(command) ?? [];
  if (/^'(?:[^']|'\\'')*'$/.test(given)) return given.slice(1, -1).replaceAll(`'\\''`, "'");
  if (/^"(?:[^"\\$`]|\\[\s\S])*"$/.test(given)) return given.slice(1, -1).replace(/\\(["\\$`])/g, "$1");
  return /^[\w./-]+$/.test(given) ? given : command;
}
