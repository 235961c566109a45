import type { Delivery } from "@paneward/sdk";

export interface DeliveryCall {
  /** Sends, or asks again for the receipt, waiting up to so many seconds for its last word; 0 for the first one. */
  readonly send: (ack: number) => Promise<Delivery>;
  readonly now: () => number;
  readonly note: (text: string) => void;
  /** How long to wait, also while something blocks it; undefined: until it is blocked or has its last word, or a minute. */
  readonly timeoutMs: number | undefined;
  /** There is an Enter whose effect can be witnessed. */
  readonly submits: boolean;
}

/** Sends and waits; says what it waits for, never silently for more than two seconds. */
export async function awaitDelivery(call: DeliveryCall): Promise<Delivery> {
  const { send, now, note, timeoutMs, submits } = call;
  const began = now();
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
/** A change of what it waits for is said this soon. */
const againMs = 5_000;
