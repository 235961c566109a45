import type { Proposal, QuestionOption } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { type Approval, withApproval } from "../approval.ts";
import { listIn, objectIn, textIn } from "../payload.ts";
import { reportedBy } from "../proof.ts";

export const opencodeApproval: Approval = { approves: /^Allow once$/, denies: /^Reject$/ };

/** A permission as opencode reports it, before or without its dialog. */
export function permissionAsked(payload: HookPayload, directory = ""): ShownQuestion {
  const proposal = proposalOf(payload, directory);
  const asked: ShownQuestion = {
    kind: "permission",
    text: "Permission required",
    options: ["Allow once", "Allow always", "Reject"].map(numbered),
    freeText: false,
    proposal,
    ...reportedBy("opencode", proposal),
    region: "",
    ...requestOf(payload),
  };
  return withApproval(asked, opencodeApproval);
}

/** A question of opencode's. Of several at once only the screen shows which is open, so there is none then. */
export function questionAsked(payload: HookPayload): ShownQuestion | undefined {
  const [asked, ...more] = listIn(payload, "questions");
  if (!asked || more.length > 0) return undefined;
  const own = asked.custom !== false;
  const options = listIn(asked, "options").map((option, index): QuestionOption => {
    const description = textIn(option, "description");
    return {
      ...numbered(textIn(option, "label") ?? "", index),
      ...(description === undefined || description === "" ? {} : { description }),
      ...(asked.multiple === true ? { checked: false } : {}),
    };
  });
  return {
    kind: asked.multiple === true ? "multi_choice" : "choice",
    text: textIn(asked, "question") ?? "",
    options: own ? [...options, numbered("Type your own answer", options.length)] : options,
    freeText: own,
    region: "",
    ...requestOf(payload),
  };
}

function numbered(label: string, index: number): QuestionOption {
  return { number: index + 1, label };
}

function requestOf(payload: HookPayload): Pick<ShownQuestion, "request"> {
  const request = textIn(payload, "id");
  return request === undefined ? {} : { request };
}

function proposalOf(payload: HookPayload, directory: string): Proposal {
  const metadata = objectIn(payload, "metadata");
  const [command, path, diff, url] = ["command", "filepath", "diff", "url"].map((name) => textIn(metadata, name));
  const patterns = Array.isArray(payload.patterns) ? payload.patterns.filter((one) => typeof one === "string") : [];
  // A tool of an MCP server has the pattern `*`, which says nothing about its input.
  const named = patterns.filter((one) => one !== "*");
  const more = url ?? (command === undefined && path === undefined ? named.join("\n") : "");
  return {
    tool: textIn(payload, "permission") ?? "a tool",
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path: below(directory, path) }),
    ...(diff !== undefined && { diff }),
    ...(more !== "" && { more }),
  };
}

// As the screen shows it.
function below(directory: string, path: string): string {
  return directory !== "" && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}
