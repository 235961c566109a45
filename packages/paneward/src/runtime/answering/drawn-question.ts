import type { Question } from "@paneward/sdk";
import { dialogDrawnMs } from "../../model/timing.ts";
import type { Clock } from "../ports.ts";

/**
 * Waits until the open question can be answered by its options, and returns it as it was first seen. Claude Code's hook
 * asks for permission before its dialog is drawn, and the options are in the dialog only: on a busy machine an answer can
 * come in between.
 */
export async function whenDrawn(
  clock: Pick<Clock, "monotonic" | "sleep">,
  open: () => Question | undefined,
): Promise<Question | undefined> {
  const over = clock.monotonic() + dialogDrawnMs;
  const first = open();
  for (let now = first; now?.id === first?.id && isUndrawn(now) && clock.monotonic() < over; now = open()) {
    await clock.sleep(20);
  }
  return first;
}

function isUndrawn(question: Question | undefined): boolean {
  if (question?.state !== "open" || question.screenHash !== "" || question.options.length > 0) return false;
  return question.kind === "permission" || question.kind === "plan";
}
