import { ownValue, type Proposal } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { textIn } from "../payload.ts";
import { byAgent, unproved } from "../proof.ts";
import { withRest } from "../tool-input.ts";
import { isPatched } from "./patched.ts";

/** What Gemini would do, by the details of its notification, and whether they are all of it. */
export function wantedBy(details: HookPayload): Pick<ShownQuestion, "proposal" | "whole" | "proof" | "doubt"> {
  const proposal = proposalOf(details);
  const needed = ownValue(provenBy, textIn(details, "type") ?? "");
  const isProved = needed !== undefined && (details[needed] ?? undefined) !== undefined;
  return { proposal, ...(isProved ? byAgent : unproved("Gemini reports the tool, not what it does with it")) };
}

/** The field that has all that a tool of this type is given; without it, only the tool is named. */
const provenBy: Readonly<Record<string, string>> = {
  exec: "command",
  edit: "fileDiff",
  mcp: "toolArgs",
  info: "prompt",
};

function proposalOf(details: HookPayload): Proposal {
  const [type, title, command, file, diff] = ["type", "title", "command", "filePath", "fileDiff"].map((name) =>
    textIn(details, name),
  );
  const name = textIn(details, "fileName");
  const path = file ?? name;
  const { server, tool } = toolIn(details);
  const proposal = {
    ...((tool ?? type) !== undefined && { tool: server === undefined ? (tool ?? type) : `${server}.${tool}` }),
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path }),
    ...(diff !== undefined && { diff }),
  };
  return withRest(proposal, details, [
    ...(type === undefined ? [] : ["type"]),
    // The question's own text.
    ...(title === undefined ? [] : ["title"]),
    ...(command === undefined ? [] : ["command"]),
    ...(file === undefined ? [] : ["filePath"]),
    ...(name !== undefined && isNameOf(name, path ?? "") ? ["fileName"] : []),
    ...(diff === undefined ? [] : ["fileDiff", ...contentShownBy(diff, details)]),
    ...(tool === undefined ? [] : ["toolName"]),
    ...(server === undefined ? [] : ["serverName"]),
    ...harmless,
  ]);
}

/** What the agent derives from the other fields. */
const harmless: readonly string[] = ["rootCommand", "rootCommands", "toolDisplayName", "isModifying"];

function toolIn(details: HookPayload): { readonly tool?: string; readonly server?: string } {
  const [tool, server] = [textIn(details, "toolName"), textIn(details, "serverName")];
  if (tool === undefined) return {};
  return server === undefined ? { tool } : { tool, server };
}

function isNameOf(name: string, path: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

// Gemini compares files without their blanks, so a change of indentation is in no diff.
function contentShownBy(diff: string, details: HookPayload): readonly string[] {
  const [before, after] = [textIn(details, "originalContent") ?? "", textIn(details, "newContent")];
  const isShown = after === undefined || isPatched(before, diff, after);
  return ["originalContent", ...(isShown ? ["newContent"] : [])];
}
