import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import { isSameCommand, isSamePath } from "./agreement.ts";
import { hasInput, showsInput } from "./shows-input.ts";
import { isServerTool, isToolNamed } from "./tool-names.ts";

/** Whether a dialog shows what was reported: all of it, a part, something that names nothing, or something else. */
export type Sight = "whole" | "part" | "maybe" | "no";

type Reported = Pick<ShownQuestion, "kind" | "text"> & { readonly proposal?: ShownQuestion["proposal"] | undefined };

export function showsRequest(screen: ShownQuestion, reported: Reported): Sight {
  if (screen.kind !== reported.kind) return "no";
  const { proposal } = reported;
  if (!proposal) return reported.text !== "" && screen.text.includes(reported.text) ? "whole" : "no";
  if (screen.kind === "plan") return "maybe";
  const { tool, command, path } = screen.proposal ?? {};
  if (command !== undefined) return isServerTool(proposal.tool) ? "no" : showsCommand(screen, proposal);
  if (path !== undefined) return isServerTool(proposal.tool) ? "no" : showsPath(path, proposal);
  if (isServerTool(proposal.tool)) return showsTool(screen, tool ?? "", proposal);
  // A dialog that does not show a command or a file as such is not about one.
  if (proposal.command !== undefined || proposal.path !== undefined) return "no";
  return hasInput(proposal) && proposal.more !== "{}" ? showsInput(screen, proposal) : "maybe";
}

/** The request that a dialog shows, and whether another one that waits would look the same. */
export interface ShownRequest<Asked> {
  readonly request?: Asked;
  readonly isAmbiguous: boolean;
}

/** The one of several requests that a dialog shows: by all of its words, else by a part, else by being alone. */
export function requestShown<Asked extends Reported>(
  screen: ShownQuestion,
  reported: readonly Asked[],
): ShownRequest<Asked> {
  const sights = reported.map((one) => showsRequest(screen, one));
  const seenAs = (sight: Sight) => reported.filter((_, at) => sights[at] === sight);
  const [whole, part, maybe] = [seenAs("whole"), seenAs("part"), seenAs("maybe")];
  const alike = whole.length > 0 ? whole : part;
  if (new Set(alike.map(({ proposal }) => JSON.stringify(proposal))).size > 1) return { isAmbiguous: true };
  const request = alike[0] ?? (reported.length === 1 ? maybe[0] : undefined);
  return { isAmbiguous: false, ...(request && { request }) };
}

function showsCommand(screen: ShownQuestion, { command }: Proposal): Sight {
  if (command === undefined || !isSameCommand(screen, command)) return "no";
  return screen.cut === undefined ? "whole" : "part";
}

function showsPath(drawn: string, { path }: Proposal): Sight {
  return path?.split(", ").some((one) => isSamePath(drawn, one)) ? "whole" : "no";
}

function showsTool(screen: ShownQuestion, drawn: string, proposal: Proposal): Sight {
  if (!isToolNamed(drawn, proposal.tool ?? "")) return "no";
  if (!hasInput(proposal)) return "maybe";
  // With one field more or less it is another call.
  return showsInput(screen, proposal) === "whole" ? "whole" : "no";
}
