import type { Question } from "@paneward/sdk";
import { isGuarded, type Sight } from "../../model/courier/courier.ts";
import { screenHash } from "../attention/question-identity.ts";

/** What typing must know of a question, whether it can be read already or not. */
export type KnownQuestion = Pick<Question, "kind" | "text" | "screenHash" | "drawnAt" | "openedAt">;

/**
 * How long a dialog that stands on the screen still drops keys, in milliseconds. `seenSince` is when whoever asks saw it
 * first: the question that is written down may be another one, or not be written down yet.
 */
export function graceLeft(
  known: Pick<KnownQuestion, "screenHash" | "drawnAt" | "openedAt"> | undefined,
  shown: { readonly hash: string; readonly seenSince: number },
  graceMs: number,
  now: number,
): number {
  const since = known && known.screenHash === shown.hash ? (known.drawnAt ?? known.openedAt) : shown.seenSince;
  return Math.max(0, since + graceMs - now);
}

interface Waiting {
  readonly graceMs: number;
  now(): number;
  look(): Promise<Sight>;
  asked(): KnownQuestion | undefined;
  pause(ms: number): Promise<void>;
}

/** Until the dialog that stands there takes keys. One that a hook told of is waited for, but not for ever. */
export async function untilTakesKeys({ graceMs, now, look, asked, pause }: Waiting): Promise<void> {
  if (graceMs === 0) return;
  const began = now();
  for (let shown = { hash: "", seenSince: began }; ; ) {
    const sight = await look();
    if (!isGuarded(sight)) return;
    const hash = screenHash({ region: sight.question?.region ?? "" });
    if (hash !== shown.hash) shown = { hash, seenSince: now() };
    const left = hash === "" ? began + drawnMs - now() : graceLeft(asked(), shown, graceMs, now());
    if (left <= 0) return;
    await pause(Math.min(left, hash === "" ? 50 : left));
  }
}

const drawnMs = 5_000;
