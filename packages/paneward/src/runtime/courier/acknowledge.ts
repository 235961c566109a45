import { PanewardError } from "@paneward/sdk";
import { isOurs } from "../../model/courier/draft.ts";
import { type AfterEnter, afterEnter, type Sight } from "../../model/courier/submission.ts";
import { afterLook, type TurnWatch, turnWatch } from "../../model/courier/turn-watch.ts";
import { submittedBeforeMs, textDrawnMs } from "../../model/timing.ts";
import { type DeliveryJob, type Submission, sight } from "./delivery-job.ts";
import type { PromptReport } from "./prompts.ts";
import { pressEnter } from "./submit.ts";

/** Waits for a witness that the program took the text; presses Enter again when the program swallowed it. */
export async function awaitAcknowledgement(
  job: DeliveryJob,
  outputsBefore: number,
  submission: Submission,
): Promise<void> {
  try {
    await new Awaiting(job, outputsBefore, submission).untilKnown();
  } catch (error) {
    const hasEnded = error instanceof PanewardError && error.code === "wrong_state";
    if (!hasEnded || submission.enter === "not pressed") throw error;
    if (wasReported(job)) return;
    const endsByIt = job.agent?.readScreen === undefined || job.wish.command === true;
    if (endsByIt) job.report("acknowledged", "the program ended after Enter");
    else job.report("unknown", "the program ended after Enter, and nothing says that it took this");
  }
}

class Awaiting {
  readonly #job: DeliveryJob;
  readonly #outputsBefore: number;
  readonly #enter: Submission["enter"];
  readonly #began: number;
  #pressedAt: number;
  #outputsAtPress: number;
  #presses: number;
  #turn: TurnWatch;
  #limit: number;
  #last: Sight | undefined;

  constructor(job: DeliveryJob, outputsBefore: number, { enter, worked, outputs }: Submission) {
    this.#job = job;
    this.#outputsBefore = outputsBefore;
    this.#enter = enter;
    this.#began = job.clock.monotonic();
    this.#pressedAt = this.#began;
    this.#outputsAtPress = outputs;
    this.#presses = enter === "not pressed" ? 0 : 1;
    this.#turn = turnWatch(worked);
    this.#limit = Math.min(job.witnessMs, maxMs[enter]);
  }

  async untilKnown(): Promise<void> {
    const job = this.#job;
    for (let wait = 10; job.clock.monotonic() - this.#began < this.#limit; wait = Math.min(wait * 2, 250)) {
      if (wasReported(job) || (await this.#look())) return;
      if (job.reportedBy() === undefined) await job.pause(wait);
    }
    if (!wasReported(job)) job.report("unknown", whyUnknown(job, this.#enter, this.#last));
  }

  /** Whether a look was enough. */
  async #look(): Promise<boolean> {
    const job = this.#job;
    const seen = await sight(job);
    this.#last = seen;
    if (!seen.hasLine || (seen.isForeign && seen.draft === undefined)) this.#limit = job.blindMs;
    const next = this.#decide(seen);
    if (next.kind === "acknowledged") job.report("acknowledged", next.by);
    if (next.kind === "acknowledged") return true;
    if (next.kind === "left") this.#turn = afterLook(this.#turn, seen, job.clock.monotonic());
    if (this.#turnSpeaks()) {
      if (!wasReported(job)) job.report("acknowledged", "its turn began");
      return true;
    }
    if (next.kind === "press" && job.reportedBy() === undefined) await this.#pressAgain();
    return false;
  }

  #turnSpeaks(): boolean {
    const { clock, wordsFirstMs, otherWords } = this.#job;
    const { beganAt = Number.POSITIVE_INFINITY } = this.#turn;
    return clock.monotonic() - beganAt >= wordsFirstMs && otherWords() === undefined;
  }

  async #pressAgain(): Promise<void> {
    const job = this.#job;
    let outputs = job.outputs();
    const may = (now: Sight) => {
      const isIt = this.#decide(now).kind === "press" && job.reportedBy() === undefined;
      outputs = job.outputs();
      return isIt;
    };
    if (!(await pressEnter(job, may))) return;
    this.#outputsAtPress = outputs;
    this.#presses += 1;
    this.#pressedAt = job.clock.monotonic();
  }

  #decide(now: Sight): AfterEnter {
    const { wish, clock, outputs } = this.#job;
    const sincePressMs = clock.monotonic() - this.#pressedAt;
    return afterEnter(now, wish, {
      ...{ sincePressMs, presses: this.#presses },
      printed: outputs() > this.#outputsBefore,
      printedSince: outputs() > this.#outputsAtPress,
    });
  }
}

/** What an earlier daemon submitted is in the record by now; its hooks and events are not repeated. */
const maxMs: Readonly<Record<Submission["enter"], number>> = {
  pressed: Number.POSITIVE_INFINITY,
  "pressed before": submittedBeforeMs,
  "not pressed": textDrawnMs,
};

/** Whether a witness reported its words; the receipt then says so. */
export function wasReported(job: DeliveryJob): boolean {
  const by = job.reportedBy();
  if (by !== undefined) job.report("acknowledged", reportWords(by));
  return by !== undefined;
}

export function reportWords(as: PromptReport["as"]): string {
  return as === "record" ? "its record has these words" : `its ${as} reported it`;
}

function whyUnknown(job: DeliveryJob, enter: Submission["enter"], last: Sight | undefined): string {
  const other = job.otherWords();
  if (other !== undefined) return `it was given other words: ${other.slice(0, 200)}`;
  if (enter === "not pressed")
    return "it left the input line before Enter was pressed, and nothing says that it was taken";
  if (last?.hasLine !== true || last.isForeign) return "Enter was pressed, and nothing was printed";
  if (isOurs(last.draft ?? "", job.wish.text, last.pasteMark)) {
    const unknown = job.wish.command ? "; it may know no such command" : "";
    return `Enter was pressed, and its input line still shows it${unknown}`;
  }
  if (last.working) return "Enter was pressed; it works, and nothing says yet that it took this";
  return "Enter was pressed, and nothing says that it was taken";
}

/** Text without Enter: the input line shows it, or the terminal echoes it. Keys alone: the terminal prints. */
export async function awaitEcho(job: DeliveryJob, outputsBefore: number): Promise<void> {
  const { clock, wish, agent } = job;
  const inLine = wish.text !== "" && agent?.readScreen !== undefined && !job.screen.isForeign;
  const began = clock.monotonic();
  for (let wait = inLine ? 20 : job.blindMs; clock.monotonic() - began < job.blindMs; wait = Math.min(wait * 2, 250)) {
    if (inLine) {
      const { draft, pasteMark } = await sight(job);
      if (draft !== undefined && isOurs(draft, wish.text, pasteMark)) {
        return job.report("acknowledged", "its input line shows it");
      }
    } else if (job.outputs() > outputsBefore) return job.report("acknowledged", "it printed something");
    await job.pause(wait);
    job.check();
  }
}
