import type { Proposal, QuestionOption } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { approveOrDeny } from "../approval.ts";
import { listIn, objectIn, textIn } from "../payload.ts";
import { byAgent, unproved } from "../proof.ts";

/** The question behind a PermissionRequest. Only the screen shows all options of a permission. */
export function questionOf(payload: HookPayload): ShownQuestion {
  const tool = textIn(payload, "tool_name") ?? "";
  const input = objectIn(payload, "tool_input");
  if (tool === "AskUserQuestion") return choiceOf(input);
  if (tool === "ExitPlanMode") {
    const more = textIn(input, "plan");
    const asked = plain("plan", "Claude wants to exit plan mode");
    return {
      ...asked,
      ...(more === undefined ? unproved("Claude reports no plan") : { proposal: { more }, ...byAgent }),
    };
  }
  return {
    ...plain("permission", `Claude wants to use ${tool}`),
    options: approveOrDeny,
    proposal: proposalOf(tool, input),
    ...byAgent,
  };
}

/** The questions of one call share a dialog, which shows them one after the other. */
export function asksSeveral(payload: HookPayload): boolean {
  return listIn(objectIn(payload, "tool_input"), "questions").length > 1;
}

function plain(kind: ShownQuestion["kind"], text: string): ShownQuestion {
  return { kind, text, options: [], freeText: false, region: "" };
}

function choiceOf(input: HookPayload): ShownQuestion {
  const [first] = listIn(input, "questions");
  const several = first?.multiSelect === true;
  const options = listIn(first ?? {}, "options").map(
    (option, index): QuestionOption => ({
      number: index + 1,
      label: textIn(option, "label") ?? "",
      ...(textIn(option, "description") && { description: textIn(option, "description") }),
      ...(several && { checked: false }),
    }),
  );
  const text = textIn(first ?? {}, "question") ?? "";
  return { kind: several ? "multi_choice" : "choice", text, options, freeText: true, region: "" };
}

function proposalOf(tool: string, input: HookPayload): Proposal {
  const command = textIn(input, "command");
  if (command !== undefined) return { tool, command };
  const path = textIn(input, "file_path") ?? textIn(input, "notebook_path");
  if (path === undefined) return { tool, more: JSON.stringify(input) };
  const diff = textIn(input, "content") ?? changeIn(input);
  return { tool, path, ...(diff === undefined ? { more: JSON.stringify(input) } : { diff }) };
}

function changeIn(input: HookPayload): string | undefined {
  const [before, after] = [textIn(input, "old_string"), textIn(input, "new_string")];
  if (before === undefined || after === undefined) return undefined;
  const marked = (text: string, mark: string) => text.split("\n").map((line) => `${mark}${line}`);
  return [...marked(before, "-"), ...marked(after, "+")].join("\n");
}
