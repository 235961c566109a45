import { setTimeout as delay } from "node:timers/promises";
import type { Question } from "@paneward/sdk";

/**
 * Waits until the question that stands now can be answered by its options, and gives it as it was first seen. Claude
 * Code's hook asks for leave before its dialog is drawn, and the options stand in the dialog only: on a busy machine
 * somebody can answer in between.
 */
export async function whenDrawn(standing: () => Question | undefined, ms = drawnMs): Promise<Question | undefined> {
  const over = performance.now() + ms;
  const first = standing();
  for (let now = first; now?.id === first?.id && isUndrawn(now) && performance.now() < over; now = standing()) {
    await delay(20);
  }
  return first;
}

function isUndrawn(question: Question | undefined): boolean {
  if (question?.state !== "open" || question.screenHash !== "" || question.options.length > 0) return false;
  return question.kind === "permission" || question.kind === "plan";
}

const drawnMs = 5_000;
