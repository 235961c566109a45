import { PanewardError } from "@paneward/sdk";
import type { DeliveryJob } from "./delivery-job.ts";

/** How far a delivery got. */
export type Stage = "nothing" | "typed" | "submitted";

/** What tmux keeps in the pane together with the text or the keys of a delivery. */
export function markOf(id: string, stage: Exclude<Stage, "nothing">): string {
  return `${id} ${stage}`;
}

type Marked = Pick<DeliveryJob, "terminals" | "host" | "place">;

/** The mark in the pane says what the records of a killed daemon cannot: whether the keys had reached tmux. */
export async function stageReached(job: Marked & Pick<DeliveryJob, "id" | "check" | "resumed">): Promise<Stage> {
  job.check();
  if (!job.resumed) return "nothing";
  const mark = await job.terminals.lastMark(job.host, job.place);
  if (mark === markOf(job.id, "submitted")) return "submitted";
  return mark === markOf(job.id, "typed") ? "typed" : "nothing";
}

/**
 * After a lost connection, the mark shows whether tmux ran the command; without the mark the act is repeated. The act says
 * whether it did anything.
 */
export async function retryUnlessMarked(
  { terminals, host, place }: Marked,
  mark: string,
  act: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "outcome_unknown")) throw error;
    return (await terminals.lastMark(host, place)) === mark || act();
  }
}
