import type { QuestionOption } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { approveOrDeny } from "../approval.ts";
import { listIn, objectIn, textIn } from "../payload.ts";
import { plannedBy, proposedBy } from "../tool-input.ts";

/** The question behind a PermissionRequest. Only the screen shows all options of a permission. */
export function questionOf(payload: HookPayload): ShownQuestion {
  const tool = textIn(payload, "tool_name") ?? "";
  const input = objectIn(payload, "tool_input");
  if (tool === "AskUserQuestion") return choiceOf(input);
  if (tool === "ExitPlanMode") {
    return { ...plain("plan", "Claude wants to exit plan mode"), ...plannedBy("Claude", payload) };
  }
  return {
    ...plain("permission", `Claude wants to use ${tool}`),
    options: approveOrDeny,
    ...proposedBy("Claude", payload, ["file_path", "notebook_path"]),
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
