import { type Delivery, PanewardError } from "@paneward/sdk";

export interface DeliveryCall {
  /** Sends, or asks again for the receipt, waiting up to so many seconds for its last word; 0 for the first one. */
  readonly send: (ack: number) => Promise<Delivery>;
  readonly now: () => number;
  /** Does this after so many milliseconds, unless it is cancelled. */
  readonly after: (ms: number, act: () => void) => () => void;
  readonly note: (text: string) => void;
  /** How long to wait, also while something blocks it; undefined: until it is blocked or has its last word, or a minute. */
  readonly timeoutMs: number | undefined;
  /** There is an Enter whose effect can be witnessed. */
  readonly submits: boolean;
}

/** Sends and waits; says what it waits for, never silently for more than two seconds. */
export async function awaitDelivery(call: DeliveryCall): Promise<Delivery> {
  const { now, note, timeoutMs, submits } = call;
  const began = now();
  const send = (ack: number) => answerTo(call, ack);
  const left = () => (timeoutMs ?? maxWaitMs) - (now() - began);
  let receipt = await send(0);
  let said: string | undefined;
  while (left() > 0 && !isOver(receipt, submits) && (timeoutMs !== undefined || !isBlocked(receipt))) {
    const silence = saidAfterMs - (now() - began);
    const waits = waitingFor(receipt);
    if (silence <= 0 && waits !== said) {
      note(waits);
      said = waits;
    }
    receipt = await send(Math.max(0.05, Math.min(left(), silence > 0 ? silence : againMs) / 1_000));
  }
  return receipt;
}

/** The daemon's answer. A stopped daemon, or one on a suspended machine, accepts the call and does not answer. */
async function answerTo({ send, after, note, timeoutMs }: DeliveryCall, ack: number): Promise<Delivery> {
  const dueMs = ack * 1_000;
  const cancelNote = after(dueMs + unheardMs, () => note("waiting, the daemon does not answer"));
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const cancelLimit = after(Math.max(dueMs, timeoutMs ?? maxWaitMs) + lostMs, () => reject(unheard()));
  try {
    return await Promise.race([send(ack), silence]);
  } finally {
    cancelNote();
    cancelLimit();
  }
}

function unheard(): PanewardError {
  return new PanewardError("outcome_unknown", "the daemon does not answer; it may still type the text", {
    hint: "`paneward daemon status` shows its state; once it answers, `paneward deliveries ID` says what became of the text",
  });
}

/** Something must happen before it is typed or submitted. */
export function isBlocked({ release }: Delivery): boolean {
  return release !== undefined;
}

function isOver({ state }: Delivery, submits: boolean): boolean {
  if (state === "acknowledged" || state === "unknown" || state === "failed") return true;
  return !submits && (state === "typed" || state === "submitted");
}

function waitingFor({ terminal, state, reason, release }: Delivery): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  return `waiting, ${terminal} has it ${state}${why}${release === undefined ? "" : `; until ${release}`}`;
}

/** Text is drawn within ten seconds, and a witness awaited for thirty. */
const maxWaitMs = 60_000;
const saidAfterMs = 2_000;
/** The first receipt may take two seconds (`firstResultMs`). */
const unheardMs = 2_500;
/** Longer than a daemon that is not running may take to start. */
const lostMs = 20_000;
/** A change of what it waits for is said this soon. */
const againMs = 5_000;
