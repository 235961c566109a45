import { PanewardError } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { type DeliverySteps, planCommand, planDelivery } from "../../model/courier/delivery-plan.ts";
import type { Sight } from "../../model/courier/submission.ts";
import type { DeliveryContent } from "../../model/records.ts";

type Wish = Pick<DeliveryContent, "text" | "enter" | "command">;

/** How this text reaches the input line of the program. Throws when an agent would not take it for a text. */
export function requireSteps(agent: Agent | undefined, { text, enter, command }: Wish): DeliverySteps {
  if (!agent || agent.isShell || command || text === "") return planCommand(text);
  const plan = planDelivery(agent, { text, enter });
  if (plan.kind === "deliver") return plan;
  throw new PanewardError("bad_input", plan.reason, { hint: plan.hint });
}

/** Whether the agent would run in a shell what this submits: a command, or the draft that keys submit. */
export function runsShell(
  agent: Agent | undefined,
  { text, keys, command }: Pick<DeliveryContent, "text" | "keys" | "command">,
  { draft = "" }: Pick<Sight, "draft">,
): boolean {
  const shell = agent?.deliver?.shell;
  if (!shell) return false;
  if (command && shell.test(text)) return true;
  const typed = keys.filter((key) => [...key].length === 1).join("");
  return keys.some((key) => submits.test(key)) && shell.test(draft + text + typed);
}

const submits = /^(Enter|KPEnter|[CcSsMm^-]+[MmJj]|.*-Enter)$/;
