import { PanewardError } from "@paneward/sdk";
import { isMarkOfOurs } from "../../model/courier/draft.ts";
import { enterNeedsApproval } from "../../model/courier/needs-approval.ts";
import { beforeEnter, isLost, type Sight } from "../../model/courier/submission.ts";
import { resumedSettleMs } from "../../model/timing.ts";
import { type DeliveryJob, type Submission, sight } from "./delivery-job.ts";
import { markOf, retryUnlessMarked } from "./marks.ts";
import { redrawing } from "./redraw.ts";
import { requireApproval } from "./require-approval.ts";
import { unlessScrolling } from "./until-free.ts";

/** Presses Enter as soon as the input line shows the text. Not pressed: the text left the line before that. */
export async function submit(job: DeliveryJob, wasTyped: boolean, outputsBefore: number): Promise<Submission> {
  const { wish, profile, clock } = job;
  const drawing = new Drawing(job, outputsBefore);
  const redraw = redrawing(job);
  if (wish.text !== "") await clock.sleep(profile.textEnterDelayMs);
  let reported: string | undefined;
  let seenOurs = wasTyped;
  let worked = true;
  let outputs = job.outputs();
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    const seen = await sight(job);
    await redraw(seen, drawing.sinceTypedMs);
    const decide = (now: Sight) => {
      const { sinceTypedMs } = drawing;
      const isSettled = !wasTyped || sinceTypedMs > resumedSettleMs;
      return beforeEnter(now, wish, { sinceTypedMs, seenOurs: seenOurs && isSettled });
    };
    const next = decide(seen);
    if (next.kind === "press") {
      job.submitting();
      const hasBlank = profile.blankAfterMark === true && isMarkOfOurs(seen.draft ?? "", wish.text, profile.pasteMark);
      const may = (now: Sight) => {
        worked = now.inTurn === true;
        outputs = job.outputs();
        return decide(now).kind === "press";
      };
      if (await unlessScrolling(job, () => pressEnter(job, may, hasBlank ? ["BSpace"] : []))) {
        job.report("submitted");
        return { enter: "pressed", worked, outputs };
      }
      continue;
    }
    if (next.kind === "gone") return { enter: "not pressed", worked: seen.inTurn === true, outputs };
    if (next.kind === "lost") drawing.requireNotLost();
    seenOurs ||= (seen.draft ?? "") !== "";
    const { reason, release } = next.kind === "wait" ? next : {};
    if (reason !== undefined && reason !== reported) job.report("typed", reason, release);
    reported = reason;
    await job.pause(wait);
  }
}

/** What the program has drawn since the text was typed. */
class Drawing {
  readonly #job: DeliveryJob;
  readonly #outputsBefore: number;
  readonly #typedAt: number;
  #last: { readonly outputs: number; readonly at: number };

  constructor(job: DeliveryJob, outputsBefore: number) {
    this.#job = job;
    this.#outputsBefore = outputsBefore;
    this.#typedAt = job.clock.monotonic();
    this.#last = { outputs: outputsBefore, at: this.#typedAt };
  }

  get sinceTypedMs(): number {
    const { clock, outputs } = this.#job;
    if (outputs() > this.#last.outputs) this.#last = { outputs: outputs(), at: clock.monotonic() };
    return clock.monotonic() - this.#typedAt;
  }

  /** It is not typed again: the program may still come to it, and would then submit it twice. */
  requireNotLost(): void {
    const { sinceTypedMs } = this;
    const hasDrawn = this.#last.outputs > this.#outputsBefore;
    if (!isLost({ hasDrawn, quietMs: this.#job.clock.monotonic() - this.#last.at, sinceTypedMs })) return;
    throw new PanewardError("wrong_state", "the text was typed and never appeared in the input line", {
      hint: "look at the screen with `paneward screen ID`; nothing was submitted",
    });
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
