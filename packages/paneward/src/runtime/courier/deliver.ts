import { obstacle } from "../../model/courier/submission.ts";
import { awaitAcknowledgement, awaitEcho } from "./acknowledge.ts";
import { type DeliveryJob, sight } from "./delivery-job.ts";
import { giveBeside } from "./give-beside.ts";
import { markOf, retryUnlessMarked, stageReached } from "./marks.ts";
import { pressKeys } from "./press-keys.ts";
import { submit } from "./submit.ts";
import { unlessScrolling, untilFree } from "./until-free.ts";

/** Brings a delivery to its end: typed once, submitted once, acknowledged when a witness saw it. */
export async function deliver(job: DeliveryJob): Promise<void> {
  const stage = await stageReached(job);
  if (stage === "nothing" && job.beside) {
    if (await giveBeside(job, job.beside)) return;
    job.beside.goes("keys");
  }
  if (stage === "nothing") await untilFree(job);
  const outputs = job.outputs();
  if (stage === "nothing") while (!(await unlessScrolling(job, () => typeText(job)))) await untilFree(job);
  if (job.wish.keys.length > 0) {
    const pressed = { count: 0 };
    if (stage !== "submitted") await unlessScrolling(job, () => pressKeys(job, pressed));
    return awaitEcho(job, outputs);
  }
  if (!job.wish.enter) return awaitEcho(job, outputs);
  // Whether the agent worked when an earlier daemon pressed Enter is not known.
  const before = { enter: "pressed before", worked: true, outputs } as const;
  const submission = stage === "submitted" ? before : await submit(job, stage === "typed", outputs);
  if (submission.enter !== "pressed") job.submitting();
  await awaitAcknowledgement(job, outputs, submission);
}

// False when something is in the way that was not there at the last look: another act may have come first.
async function typeText(job: DeliveryJob): Promise<boolean> {
  const { id, typist, wish, profile, agent } = job;
  const { text, before, aheadMs, keys } = job.steps;
  if (text === "") return true;
  const mark = markOf(id, "typed");
  const isLine = profile.pasteLine === true && !(wish.command && agent?.deliver?.typedCommands?.test(text));
  // A plain program with an agent's name would take the brackets for a part of the text.
  const paste = isLine && job.screen.isForeign ? "if asked" : isLine;
  const isTyped = await retryUnlessMarked(job, mark, () =>
    typist.sequence(job, async (writer) => {
      if (agent && obstacle(await sight(job), wish) !== undefined) return false;
      if (aheadMs > 0) {
        await writer.type(before);
        await writer.pause(aheadMs);
      }
      await writer.type(text, { mark, paste, before: aheadMs > 0 ? "" : before, keys });
      return true;
    }),
  );
  if (isTyped) job.report("typed");
  return isTyped;
}
