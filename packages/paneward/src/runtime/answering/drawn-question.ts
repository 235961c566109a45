import type { Question } from "@paneward/sdk";
import { dialogDrawnMs } from "../../model/timing.ts";
import type { Clock } from "../ports.ts";

/**
 * Waits until the open question can be answered by its options, and returns it as it was first seen. Claude Code's hook
 * asks for permission before its dialog is drawn, and all options but two are in the dialog only: on a busy machine an
 * answer can come in between. `names` is whether the answer names an option that the question has already.
 */
export async function whenDrawn(
  clock: Pick<Clock, "monotonic" | "sleep">,
  open: () => Question | undefined,
  names: (question: Question) => boolean,
): Promise<Question | undefined> {
  const over = clock.monotonic() + dialogDrawnMs;
  const first = open();
  const isMissing = (now: Question | undefined) => now && now.id === first?.id && isUndrawn(now) && !names(now);
  for (let now = first; isMissing(now) && clock.monotonic() < over; now = open()) await clock.sleep(20);
  return first;
}

function isUndrawn({ state, screenHash, kind }: Question): boolean {
  return state === "open" && screenHash === "" && (kind === "permission" || kind === "plan");
}
