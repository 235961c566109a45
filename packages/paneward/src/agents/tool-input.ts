import type { Proposal } from "@paneward/sdk";
import type { HookPayload } from "./agent.ts";
import { objectIn, textIn } from "./payload.ts";
import { byAgent, unproved } from "./proof.ts";
import type { ShownQuestion } from "./reading.ts";

type Proposed = Pick<ShownQuestion, "proposal" | "whole" | "proof" | "doubt">;

/**
 * What a tool would do, by the report of its agent: the tool's name and all that it is given. A field that has no place of
 * its own in a proposal is in `more`, so that nothing is approved unseen.
 */
export function proposedBy(agent: string, payload: HookPayload, pathFields: readonly string[]): Proposed {
  const tool = textIn(payload, "tool_name") ?? "";
  const { tool_input: input } = payload;
  const isKnown = tool !== "" && typeof input === "object" && input !== null && !Array.isArray(input);
  const proposal = inputProposal(tool, objectIn(payload, "tool_input"), pathFields);
  return { proposal, ...(isKnown ? byAgent : unproved(`${agent} does not report what the tool is given`)) };
}

/** A plan, and whatever leave it asks for beside its text. */
export function plannedBy(agent: string, payload: HookPayload): Proposed {
  const input = objectIn(payload, "tool_input");
  const more = textIn(input, "plan");
  if (more === undefined) return unproved(`${agent} reports no plan`);
  return { proposal: withRest({ more }, input, ["plan"]), ...byAgent };
}

function inputProposal(tool: string, input: HookPayload, pathFields: readonly string[]): Proposal {
  const named = tool === "" ? {} : { tool };
  const command = textIn(input, "command");
  const pathField = pathFields.find((name) => textIn(input, name) !== undefined);
  if (command !== undefined) return withRest({ ...named, command }, input, ["command", ...harmlessIn(tool, input)]);
  // Given nothing, which is all of it.
  if (pathField === undefined) return { more: "{}", ...withRest(named, input, harmlessIn(tool, input)) };
  const { diff, fields } = changeIn(input);
  const proposal = { ...named, path: textIn(input, pathField) ?? "", ...(diff !== undefined && { diff }) };
  return withRest(proposal, input, [pathField, ...fields, ...harmlessIn(tool, input)]);
}

/** The proposal with every field of the input that it does not show yet, as JSON. */
export function withRest(proposal: Proposal, input: HookPayload, shown: readonly string[]): Proposal {
  const rest = Object.entries(input).filter(([name]) => !shown.includes(name));
  if (rest.length === 0) return proposal;
  const { more } = proposal;
  const json = readableJson(Object.fromEntries(rest));
  return { ...proposal, more: more === undefined ? json : `${more}\n\n${json}` };
}

function readableJson(value: object): string {
  const line = JSON.stringify(value);
  return line.length <= maxLine ? line : JSON.stringify(value, undefined, 2);
}

const maxLine = 80;

function changeIn(input: HookPayload): { readonly diff?: string; readonly fields: readonly string[] } {
  const content = textIn(input, "content");
  if (content !== undefined) return { diff: content, fields: ["content"] };
  const [before, after] = [textIn(input, "old_string"), textIn(input, "new_string")];
  if (before === undefined || after === undefined) return { fields: [] };
  const marked = (text: string, mark: string) => text.split("\n").map((line) => `${mark}${line}`);
  const diff = [...marked(before, "-"), ...marked(after, "+")].join("\n");
  return { diff, fields: ["old_string", "new_string"] };
}

/** Fields of the agents' own tools that change nothing of what is done. A tool of an MCP server may give them any meaning. */
function harmlessIn(tool: string, input: HookPayload): readonly string[] {
  if (tool === "Bash") {
    return [
      ...(textIn(input, "description") === undefined ? [] : ["description"]),
      ...(typeof input.timeout === "number" ? ["timeout"] : []),
    ];
  }
  return tool === "Edit" && input.replace_all === false ? ["replace_all"] : [];
}
