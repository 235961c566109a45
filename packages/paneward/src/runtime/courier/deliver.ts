import type { Delivery } from "@paneward/sdk";
import { PanewardError } from "@paneward/sdk";
import type { Agent, SubmitProfile } from "../../agents/agent.ts";
import { afterEnter, beforeEnter, isTorn, obstacle, type Sight, withUndrawn } from "../../model/courier/courier.ts";
import { isMarkOfOurs } from "../../model/courier/draft.ts";
import type { PanePlace, Wish } from "../../model/records.ts";
import { readScreen } from "../attention/screen.ts";
import type { Clock, Terminals } from "../ports.ts";
import { type KnownQuestion, untilTakesKeys } from "./dialog-grace.ts";
import type { Typist } from "./typist.ts";

/** One delivery on its way: what it may look at, and where it tells how far it came. */
export interface DeliveryJob {
  readonly id: string;
  readonly terminals: Terminals;
  readonly typist: Typist;
  readonly clock: Clock;
  readonly host: string;
  readonly place: PanePlace;
  readonly agent: Agent | undefined;
  readonly profile: SubmitProfile;
  readonly wish: Wish;
  /** It was under way when an earlier daemon ended. */
  readonly resumed: boolean;
  /** What stood there when it was sent a moment ago, if nothing else was typed since. */
  readonly seen: Sight | undefined;
  /** So long somebody waits for a witness; `blindMs` where only output can be one. */
  readonly witnessMs: number;
  readonly blindMs: number;
  tell(state: Delivery["state"], reason?: string): void;
  /** What it brings is a secret, and nothing of it may stay written down. */
  hide(): void;
  /** Throws when the program has ended, or when the daemon stops and another one is to go on. */
  check(): void;
  /** Until the terminal prints or so many milliseconds are over. */
  pause(ms: number): Promise<void>;
  /** How often the terminal has printed so far. */
  outputs(): number;
  /** The question that is known to be open, by whatever witness. */
  asked(): KnownQuestion | undefined;
  /** The text is about to be sent off: from now on a hook of the agent may tell of it. */
  submitting(): void;
  /** Whether a hook has told that the agent was given just this text. */
  isTold(): boolean;
}

/** Brings a delivery to its end: typed once, submitted once, acknowledged when a witness saw it. */
export async function deliver(job: DeliveryJob): Promise<void> {
  const done = await stageReached(job);
  if (done === "nothing") await free(job);
  const outputs = job.outputs();
  if (done === "nothing") await unlessScrolling(job, () => typed(job));
  if (job.wish.keys.length > 0) {
    if (done !== "submitted") await unlessScrolling(job, () => pressed(job));
    return echoed(job, outputs);
  }
  if (!job.wish.enter) return echoed(job, outputs);
  if (done !== "submitted" && (await submitted(job, done === "typed")) === "gone") {
    job.submitting();
    return job.tell("acknowledged", "it left the input line");
  }
  await acknowledged(job, outputs);
}

function markOf(id: string, stage: "typed" | "submitted"): string {
  return `${id} ${stage}`;
}

// The mark in the pane knows what the records of a killed daemon do not: whether the keys had reached tmux.
async function stageReached(job: DeliveryJob): Promise<"nothing" | "typed" | "submitted"> {
  job.check();
  if (!job.resumed) return "nothing";
  const mark = await job.terminals.lastMark(job.host, job.place);
  if (mark === markOf(job.id, "submitted")) return "submitted";
  return mark === markOf(job.id, "typed") ? "typed" : "nothing";
}

async function typed(job: DeliveryJob): Promise<void> {
  const { id, typist, wish, profile, tell } = job;
  if (wish.text === "") return;
  const mark = markOf(id, "typed");
  await surely(job, mark, () => typist.type(job, wish.text, { mark, paste: profile.pasteLine === true }));
  tell("typed");
}

async function pressed(job: DeliveryJob): Promise<void> {
  const { id, typist, wish, profile, tell, clock, asked, pause } = job;
  await untilTakesKeys({ graceMs: profile.dialogGraceMs, clock, asked, pause, look: () => sight(job) });
  await typist.press(job, { keys: wish.keys, pauseMs: profile.keyDelayMs, mark: markOf(id, "submitted") });
  tell("submitted");
}

// Somebody may begin to scroll between the look and the keys: tmux was asked once more then, and nothing was typed.
async function unlessScrolling(job: DeliveryJob, act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PanewardError && error.code === "wrong_state" && (await sight(job)).inMode)) throw error;
      await free(job);
    }
  }
}

async function free(job: DeliveryJob): Promise<void> {
  let held: string | undefined;
  const began = performance.now();
  // Bare keys are pressed whatever is drafted there; before a text and its Enter everything is looked at once more.
  const { text, keys } = job.wish;
  let seen = job.seen && text === "" && keys.length > 0 ? withUndrawn(job.seen, job.asked()) : await sight(job);
  for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
    if (seen.question?.kind === "password") job.hide();
    const reason = obstacle(seen, job.wish);
    const isUnsure = text !== "" && isTorn(seen, performance.now() - began);
    if (reason === undefined && !isUnsure) return;
    if (reason !== undefined && reason !== held) job.tell("held", reason);
    held = reason ?? held;
    await job.pause(wait);
    seen = await sight(job);
  }
}

async function submitted(job: DeliveryJob, wasTyped: boolean): Promise<"pressed" | "gone"> {
  const { wish, profile } = job;
  const typedAt = performance.now();
  if (wish.text !== "") await delay(profile.textEnterDelayMs);
  let told: string | undefined;
  let seenOurs = wasTyped;
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    const seen = await sight(job);
    const sinceTypedMs = performance.now() - typedAt;
    // After a restart an empty line may still be one that is not drawn yet.
    const next = beforeEnter(seen, wish, {
      sinceTypedMs,
      seenOurs: seenOurs && (!wasTyped || sinceTypedMs > settleMs),
    });
    if (next.kind === "press") {
      job.submitting();
      const hasBlank = profile.blankAfterMark === true && isMarkOfOurs(seen.draft ?? "", wish.text);
      await unlessScrolling(job, () => enter(job, hasBlank ? ["BSpace"] : []));
      job.tell("submitted");
      return "pressed";
    }
    if (next.kind === "gone") return "gone";
    if (next.kind === "lost") {
      throw new PanewardError("wrong_state", "the text was typed and never appeared in the input line", {
        hint: "look at the screen with `paneward screen ID`; nothing was submitted",
      });
    }
    seenOurs ||= (seen.draft ?? "") !== "";
    if (next.reason !== undefined && next.reason !== told) job.tell("typed", next.reason);
    told = next.reason;
    await job.pause(wait);
  }
}

async function acknowledged(job: DeliveryJob, outputsBefore: number): Promise<void> {
  const began = performance.now();
  let pressedAt = began;
  let presses = 1;
  for (let wait = 10, limit = job.witnessMs; performance.now() - began < limit; wait = Math.min(wait * 2, 250)) {
    if (job.isTold()) return job.tell("acknowledged", "its hook told of it");
    const seen = await sight(job);
    if (seen.draft === undefined && !seen.hasLine) limit = job.blindMs;
    const facts = { sincePressMs: performance.now() - pressedAt, presses, printed: job.outputs() > outputsBefore };
    const next = afterEnter(seen, job.wish, facts);
    if (next.kind === "acknowledged") return job.tell("acknowledged", next.by);
    if (next.kind === "press" && !job.isTold()) {
      await enter(job);
      presses += 1;
      pressedAt = performance.now();
    }
    if (!job.isTold()) await job.pause(wait);
  }
  job.tell("submitted", "no witness saw that it arrived");
}

// Text without Enter and bare keys have one witness only: the terminal prints.
async function echoed(job: DeliveryJob, before: number): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < job.blindMs) {
    if (job.outputs() > before) return job.tell("acknowledged", "it printed something");
    await job.pause(job.blindMs);
    job.check();
  }
}

function enter(job: DeliveryJob, before: readonly string[] = []): Promise<void> {
  const mark = markOf(job.id, "submitted");
  const keys = [...before, "Enter"];
  return surely(job, mark, () => job.typist.press(job, { keys, pauseMs: job.profile.keyDelayMs, mark }));
}

// A connection that broke leaves open whether tmux had the command; the mark in the pane tells.
async function surely(
  at: Pick<DeliveryJob, "terminals" | "host" | "place">,
  mark: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "outcome_unknown")) throw error;
    if ((await at.terminals.lastMark(at.host, at.place)) !== mark) await act();
  }
}

async function sight({ check, terminals, host, place, agent, asked }: DeliveryJob): Promise<Sight> {
  check();
  const seen = await sightIn(terminals, host, place, agent);
  check();
  return withUndrawn(seen, asked());
}

/** What a look at the pane tells about typing into it. */
export async function sightIn(
  terminals: Pick<Terminals, "look">,
  host: string,
  place: PanePlace,
  agent: Agent | undefined,
): Promise<Sight> {
  const look = await terminals.look(host, place);
  const { question, draft } = readScreen(agent, look);
  return {
    inMode: look.inMode,
    isAgent: agent !== undefined && agent.name !== "shell",
    hasLine: agent?.readScreen !== undefined,
    ...(question === undefined ? {} : { question }),
    ...(draft === undefined ? {} : { draft }),
  };
}

const settleMs = 1_500;

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
