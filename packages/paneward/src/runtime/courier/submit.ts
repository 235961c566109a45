import { PanewardError } from "@paneward/sdk";
import { isMarkOfOurs } from "../../model/courier/draft.ts";
import { beforeEnter } from "../../model/courier/submission.ts";
import { resumedSettleMs } from "../../model/timing.ts";
import { type DeliveryJob, sight } from "./delivery-job.ts";
import { markOf, retryUnlessMarked } from "./marks.ts";
import { unlessScrolling } from "./until-free.ts";

/** Presses Enter as soon as the input line shows the text. `gone`: the text left the line before that. */
export async function submit(job: DeliveryJob, wasTyped: boolean): Promise<"pressed" | "gone"> {
  const { wish, profile, clock } = job;
  const typedAt = clock.monotonic();
  if (wish.text !== "") await clock.sleep(profile.textEnterDelayMs);
  let reported: string | undefined;
  let seenOurs = wasTyped;
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    const seen = await sight(job);
    const sinceTypedMs = clock.monotonic() - typedAt;
    const next = beforeEnter(seen, wish, {
      sinceTypedMs,
      seenOurs: seenOurs && (!wasTyped || sinceTypedMs > resumedSettleMs),
    });
    if (next.kind === "press") {
      job.submitting();
      const hasBlank = profile.blankAfterMark === true && isMarkOfOurs(seen.draft ?? "", wish.text, profile.pasteMark);
      await unlessScrolling(job, () => pressEnter(job, hasBlank ? ["BSpace"] : []));
      job.report("submitted");
      return "pressed";
    }
    if (next.kind === "gone") return "gone";
    if (next.kind === "lost") {
      throw new PanewardError("wrong_state", "the text was typed and never appeared in the input line", {
        hint: "look at the screen with `paneward screen ID`; nothing was submitted",
      });
    }
    seenOurs ||= (seen.draft ?? "") !== "";
    if (next.reason !== undefined && next.reason !== reported) job.report("typed", next.reason);
    reported = next.reason;
    await job.pause(wait);
  }
}

export function pressEnter(job: DeliveryJob, before: readonly string[] = []): Promise<void> {
  const mark = markOf(job.id, "submitted");
  const keys = [...before, "Enter"];
  return retryUnlessMarked(job, mark, () => job.typist.press(job, { keys, pauseMs: job.profile.keyDelayMs, mark }));
}
