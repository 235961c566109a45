import { ownValue, type Proposal } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { listIn, objectIn, textIn } from "../payload.ts";
import { byAgent, unproved } from "../proof.ts";
import { withRest } from "../tool-input.ts";

/** What opencode asks leave for, by its own report, and whether that is all that would be done. */
export function wantedBy(
  payload: HookPayload,
  directory: string,
): Pick<ShownQuestion, "proposal" | "whole" | "proof" | "doubt"> {
  return { proposal: proposalOf(payload, directory), ...proofOf(payload) };
}

/** Where a permission has all that its tool is given. What is asked before a tool runs, as for a folder, names no tool. */
const provenBy: Readonly<Record<string, string>> = {
  ...{ bash: "command", edit: "diff", webfetch: "url", websearch: "query", codesearch: "query", doom_loop: "input" },
  ...{ read: "patterns", list: "patterns", glob: "patterns", grep: "patterns", skill: "patterns" },
};

function proofOf(payload: HookPayload): Pick<ShownQuestion, "whole" | "proof" | "doubt"> {
  const field = ownValue(provenBy, textIn(payload, "permission") ?? "");
  const given = field === "patterns" ? patternsIn(payload)[0] : field && objectIn(payload, "metadata")[field];
  const isProved = given !== undefined && given !== null;
  return isProved ? byAgent : unproved("opencode reports the tool, not what it does with it");
}

// A tool of an MCP server has the pattern `*`, which says nothing about its input.
function patternsIn({ patterns }: HookPayload): readonly string[] {
  return Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string" && one !== "*") : [];
}

function proposalOf(payload: HookPayload, directory: string): Proposal {
  const metadata = objectIn(payload, "metadata");
  const tool = textIn(payload, "permission") ?? "a tool";
  const [command, path, diff, url] = ["command", "filepath", "diff", "url"].map((name) => textIn(metadata, name));
  const isChange = path !== undefined && diff !== undefined;
  const patterns = patternsIn(payload).filter((one) => ![path, url].includes(one));
  const words = [...(url === undefined ? [] : [url]), ...(command === undefined && !isChange ? patterns : [])];
  const proposal: Proposal = {
    tool,
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path: below(directory, path) }),
    ...(diff !== undefined && { diff }),
    ...(words.length > 0 && { more: words.join("\n") }),
  };
  const shown = Object.entries({ command, filepath: path, diff, url }).flatMap(([name, text]) =>
    text === undefined ? [] : [name],
  );
  return withRest(proposal, isChange ? withMoves(metadata) : metadata, [...shown, ...(ownValue(harmless, tool) ?? [])]);
}

/** What changes nothing of what is done, for tools of opencode's own. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  bash: ["description", "timeout"],
  webfetch: ["format", "timeout"],
};

// The files of a patch repeat its diff, except where one is moved to.
function withMoves({ files, ...rest }: HookPayload): HookPayload {
  if (!Array.isArray(files)) return files === undefined ? rest : { ...rest, files };
  const moved = listIn({ files }, "files").flatMap(({ movePath }) => (movePath === undefined ? [] : [{ movePath }]));
  return moved.length === 0 ? rest : { ...rest, files: moved };
}

// As the screen shows it.
function below(directory: string, path: string): string {
  return directory !== "" && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}
