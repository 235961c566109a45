import { isTorn, type Sight } from "../../model/courier/submission.ts";
import { redrawAfterMs } from "../../model/timing.ts";
import type { DeliveryJob } from "./delivery-job.ts";

/**
 * Makes a program redraw its screen, once, when its input line has not been seen for a while: what it believes to be on the
 * screen and what is there may differ.
 */
export function redrawing({ wish: { text }, isUnderstood, terminals, host, place }: DeliveryJob) {
  let isDone = false;
  return async (seen: Sight, forMs: number): Promise<void> => {
    if (isDone || text === "" || forMs < redrawAfterMs || !isUnderstood() || !isTorn(seen, 0)) return;
    isDone = true;
    await terminals.redraw(host, place);
  };
}
