import { awaitAcknowledgement, awaitEcho } from "./acknowledge.ts";
import { type DeliveryJob, sight } from "./delivery-job.ts";
import { untilTakesKeys } from "./dialog-grace.ts";
import { markOf, retryUnlessMarked, stageReached } from "./marks.ts";
import { submit } from "./submit.ts";
import { unlessScrolling, untilFree } from "./until-free.ts";

/** Brings a delivery to its end: typed once, submitted once, acknowledged when a witness saw it. */
export async function deliver(job: DeliveryJob): Promise<void> {
  const stage = await stageReached(job);
  if (stage === "nothing") await untilFree(job);
  const outputs = job.outputs();
  if (stage === "nothing") await unlessScrolling(job, () => typeText(job));
  if (job.wish.keys.length > 0) {
    if (stage !== "submitted") await unlessScrolling(job, () => pressKeys(job));
    return awaitEcho(job, outputs);
  }
  if (!job.wish.enter) return awaitEcho(job, outputs);
  if (stage !== "submitted" && (await submit(job, stage === "typed")) === "gone") {
    job.submitting();
    return job.report("acknowledged", "it left the input line");
  }
  await awaitAcknowledgement(job, outputs);
}

async function typeText(job: DeliveryJob): Promise<void> {
  const { id, typist, wish, profile, agent } = job;
  const { text, before, keys } = job.steps;
  if (text === "") return;
  const mark = markOf(id, "typed");
  const paste = profile.pasteLine === true && !(wish.command && agent?.deliver?.typedCommands?.test(text));
  await retryUnlessMarked(job, mark, () => typist.type(job, text, { mark, paste, before, keys }));
  job.report("typed");
}

async function pressKeys(job: DeliveryJob): Promise<void> {
  const { id, typist, wish, profile, clock, asked, pause } = job;
  await untilTakesKeys({ graceMs: profile.dialogGraceMs, clock, asked, pause, look: () => sight(job) });
  await typist.press(job, { keys: wish.keys, pauseMs: profile.keyDelayMs, mark: markOf(id, "submitted") });
  job.report("submitted");
}
