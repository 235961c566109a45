import type { QuestionOption } from "@paneward/sdk";
import type { HookPayload, ShownQuestion } from "../agent.ts";
import { type Approval, withApproval } from "../approval.ts";
import { listIn, textIn } from "../payload.ts";
import { wantedBy } from "./permission.ts";

export const opencodeApproval: Approval = { approves: /^Allow once$/, denies: /^Reject$/ };

/** A permission as opencode reports it, before or without its dialog. */
export function permissionAsked(payload: HookPayload, directory = ""): ShownQuestion {
  const asked: ShownQuestion = {
    kind: "permission",
    text: "Permission required",
    options: ["Allow once", "Allow always", "Reject"].map(numbered),
    freeText: false,
    ...wantedBy(payload, directory),
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
