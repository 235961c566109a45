import { PanewardError } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { type DeliverySteps, planCommand, planDelivery } from "../../model/courier/delivery-plan.ts";
import { keyKind } from "../../model/courier/key-kinds.ts";
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

/**
 * Whether the agent would run in a shell what this submits: a command, or the draft behind which it is typed. A text alone
 * in the line is brought there as a text, or was refused.
 */
export function runsShell(
  agent: Agent | undefined,
  { text, keys, command, enter, force }: DeliveryContent,
  { draft = "", inShell }: Pick<Sight, "draft" | "inShell">,
): boolean {
  const shell = agent?.deliver?.shell;
  if (!shell) return false;
  if (command && shell.test(text)) return true;
  if (!enter && !keys.some((key) => keyKind(key).maySubmit)) return false;
  // Without force, a text waits until the draft is gone.
  if (text !== "" && (!force || draft.trim() === "")) return false;
  const typed = keys.map((key) => (key === "Space" ? " " : key)).filter((key) => [...key].length === 1);
  return inShell === true || shell.test(draft + text + typed.join(""));
}
