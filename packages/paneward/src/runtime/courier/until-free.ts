import { PanewardError } from "@paneward/sdk";
import {
  isGuarded,
  isNotUnderstood,
  isSecret,
  isTorn,
  obstacle,
  type Sight,
  unseenLine,
} from "../../model/courier/submission.ts";
import { answeredSettlesMs } from "../../model/timing.ts";
import { type DeliveryJob, sight, sightBeforeTyping, withKnown } from "./delivery-job.ts";
import { redrawing } from "./redraw.ts";

/**
 * Waits until nothing holds the delivery: no dialog, no other draft, no copy mode, no half-drawn screen, no turn that a denial
 * is just ending.
 */
export async function untilFree(job: DeliveryJob): Promise<void> {
  let held: string | undefined;
  let asked = false;
  const redraw = redrawing(job);
  // Behind a dialog that was open for long, a program may draw its input line only now.
  let freeSince = job.clock.monotonic();
  // Keys alone are pressed whatever is drafted; before a text and its Enter the screen is looked at once more.
  const { text, keys } = job.wish;
  let seen = job.seen && text === "" && keys.length > 0 ? withKnown(job.seen, job) : await sightBeforeTyping(job);
  for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
    if (isSecret(seen)) job.hide();
    const inTheWay = obstacle(seen, job.wish);
    if (inTheWay !== undefined) freeSince = job.clock.monotonic();
    const freeForMs = job.clock.monotonic() - freeSince;
    const found = inTheWay ?? unseenLine(seen, job.wish, freeForMs);
    const lasted = { forMs: freeForMs, ageMs: job.ageMs() };
    if (inTheWay === undefined && !job.isUnderstood() && isNotUnderstood(seen, lasted)) job.screen.isForeign = true;
    asked ||= isGuarded(seen);
    await redraw(seen, freeForMs);
    if (found === undefined && !isUnsettled(job, seen, { freeForMs, asked })) return;
    if (found !== undefined && found.reason !== held) job.report("held", found.reason, found.release);
    held = found?.reason ?? held;
    await job.pause(wait);
    seen = await sightBeforeTyping(job);
  }
}

/** A moment later it may look otherwise: the screen is half drawn, or a denial is just ending the turn. */
function isUnsettled(
  { wish: { text }, screen }: DeliveryJob,
  seen: Sight,
  { freeForMs, asked }: { readonly freeForMs: number; readonly asked: boolean },
): boolean {
  if (text === "") return false;
  if (!screen.isForeign && isTorn(seen, freeForMs)) return true;
  return asked && seen.working === true && freeForMs < answeredSettlesMs;
}

/** Copy mode may begin between the look and the keys. tmux is asked right before them, so then nothing was typed: wait. */
export async function unlessScrolling<Result>(job: DeliveryJob, act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PanewardError && error.code === "wrong_state" && (await sight(job)).inMode)) throw error;
      await untilFree(job);
    }
  }
}
