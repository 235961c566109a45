import { PanewardError } from "@paneward/sdk";
import { isMarkOfOurs } from "../../model/courier/draft.ts";
import { enterNeedsApproval } from "../../model/courier/needs-approval.ts";
import { beforeEnter, type Sight } from "../../model/courier/submission.ts";
import { resumedSettleMs } from "../../model/timing.ts";
import { type DeliveryJob, type Submission, sight } from "./delivery-job.ts";
import { markOf, retryUnlessMarked } from "./marks.ts";
import { requireApproval } from "./require-approval.ts";
import { unlessScrolling } from "./until-free.ts";

/**
 * Presses Enter as soon as the input line shows the text. Not pressed: the text left the line before that. An agent that
 * starts draws its input line before it takes text, and may lose it: it is typed again, once.
 */
export async function submit(
  job: DeliveryJob,
  wasTyped: boolean,
  typeAgain: () => Promise<boolean>,
): Promise<Submission> {
  const { wish, profile, clock } = job;
  let typedAt = clock.monotonic();
  let mayTypeAgain = true;
  if (wish.text !== "") await clock.sleep(profile.textEnterDelayMs);
  let reported: string | undefined;
  let seenOurs = wasTyped;
  let worked = true;
  let outputs = job.outputs();
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    const seen = await sight(job);
    const decide = (now: Sight) => {
      const sinceTypedMs = clock.monotonic() - typedAt;
      const isSettled = !wasTyped || sinceTypedMs > resumedSettleMs;
      return beforeEnter(now, wish, { sinceTypedMs, seenOurs: seenOurs && isSettled });
    };
    const next = decide(seen);
    if (next.kind === "press") {
      job.submitting();
      const hasBlank = profile.blankAfterMark === true && isMarkOfOurs(seen.draft ?? "", wish.text, profile.pasteMark);
      const may = (now: Sight) => {
        worked = now.working === true;
        outputs = job.outputs();
        return decide(now).kind === "press";
      };
      if (await unlessScrolling(job, () => pressEnter(job, may, hasBlank ? ["BSpace"] : []))) {
        job.report("submitted");
        return { enter: "pressed", worked, outputs };
      }
      continue;
    }
    if (next.kind === "gone") return { enter: "not pressed", worked: seen.working === true, outputs };
    if (next.kind === "lost" && mayTypeAgain && (await typeAgain())) {
      typedAt = clock.monotonic();
      mayTypeAgain = false;
      await clock.sleep(profile.textEnterDelayMs);
      continue;
    }
    if (next.kind === "lost") {
      throw new PanewardError("wrong_state", "the text was typed and never appeared in the input line", {
        hint: "look at the screen with `paneward screen ID`; nothing was submitted",
      });
    }
    seenOurs ||= (seen.draft ?? "") !== "";
    if (next.reason !== undefined && next.reason !== reported) job.report("typed", next.reason, next.release);
    reported = next.reason;
    await job.pause(wait);
  }
}

/** Presses Enter if a look right before it still says that it may: another act may have come first. */
export function pressEnter(
  job: DeliveryJob,
  may: (now: Sight) => boolean,
  before: readonly string[] = [],
): Promise<boolean> {
  const { agent, profile, wish, scope, typist } = job;
  const mark = markOf(job.id, "submitted");
  const keys = [...before, "Enter"];
  return retryUnlessMarked(job, mark, () =>
    typist.sequence(job, async (writer) => {
      if (agent && !agent.isShell) {
        const now = await sight(job);
        if (!may(now)) return false;
        requireApproval(scope, enterNeedsApproval(now, wish, agent.deliver?.shell), "Enter was not pressed");
      }
      await writer.press({ keys, pauseMs: profile.keyDelayMs, mark });
      return true;
    }),
  );
}
