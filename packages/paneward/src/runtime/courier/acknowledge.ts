import { afterEnter, type Sight } from "../../model/courier/submission.ts";
import { type DeliveryJob, sight } from "./delivery-job.ts";
import { pressEnter } from "./submit.ts";

/** Waits for a witness that the program took the text; presses Enter again when the program swallowed it. */
export async function awaitAcknowledgement(job: DeliveryJob, outputsBefore: number): Promise<void> {
  const { clock } = job;
  const began = clock.monotonic();
  let pressedAt = began;
  let presses = 1;
  for (let wait = 10, limit = job.witnessMs; clock.monotonic() - began < limit; wait = Math.min(wait * 2, 250)) {
    if (job.isMatched()) return job.report("acknowledged", "its hook reported it");
    const seen = await sight(job);
    if (seen.draft === undefined && (!seen.hasLine || seen.isForeign)) limit = job.blindMs;
    const decide = (now: Sight) => {
      const printed = job.outputs() > outputsBefore;
      return afterEnter(now, job.wish, { sincePressMs: clock.monotonic() - pressedAt, presses, printed });
    };
    const next = decide(seen);
    if (next.kind === "acknowledged") return job.report("acknowledged", next.by);
    if (next.kind === "press" && !job.isMatched()) {
      const isPressed = await pressEnter(job, (now) => decide(now).kind === "press" && !job.isMatched());
      if (isPressed) presses += 1;
      if (isPressed) pressedAt = clock.monotonic();
    }
    if (!job.isMatched()) await job.pause(wait);
  }
  job.report("submitted", "nothing confirmed that it arrived");
}

/** Text without Enter and keys alone have one witness only: the terminal prints. */
export async function awaitEcho(job: DeliveryJob, outputsBefore: number): Promise<void> {
  const began = job.clock.monotonic();
  while (job.clock.monotonic() - began < job.blindMs) {
    if (job.outputs() > outputsBefore) return job.report("acknowledged", "it printed something");
    await job.pause(job.blindMs);
    job.check();
  }
}
