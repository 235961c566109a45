import type { Question } from "@paneward/sdk";
import { isGuarded, type Sight } from "../../model/courier/submission.ts";
import { dialogDrawnMs } from "../../model/timing.ts";
import { screenHash } from "../attention/question-identity.ts";
import type { Clock } from "../ports.ts";

/** What typing must know of a question, whether it can be read already or not. */
export interface KnownQuestion extends Pick<Question, "kind" | "text" | "screenHash"> {
  /** In monotonic time. */
  readonly drawnAt: number;
}

type Time = Pick<Clock, "monotonic">;

/**
 * How long the dialog on the screen still drops keys, in milliseconds. `seenSince` is when the caller first saw it, in
 * monotonic time: the question on record may be another one, or not be recorded yet.
 */
export function graceLeft(
  clock: Time,
  known: Pick<KnownQuestion, "screenHash" | "drawnAt"> | undefined,
  shown: { readonly hash: string; readonly seenSince: number },
  graceMs: number,
): number {
  const { hash, seenSince } = shown;
  const isKnown = known !== undefined && known.screenHash === hash;
  const since = isKnown ? Math.min(seenSince, known.drawnAt) : seenSince;
  return Math.max(0, since + graceMs - clock.monotonic());
}

interface Waiting {
  readonly graceMs: number;
  readonly clock: Time;
  look(): Promise<Sight>;
  asked(): KnownQuestion | undefined;
  pause(ms: number): Promise<void>;
}

/** Waits until the dialog on the screen takes keys. One that only a hook reported gets time to be drawn, within a limit. */
export async function untilTakesKeys({ graceMs, clock, look, asked, pause }: Waiting): Promise<void> {
  if (graceMs === 0) return;
  const began = clock.monotonic();
  for (let shown = { hash: "", seenSince: began }; ; ) {
    const sight = await look();
    if (!isGuarded(sight)) return;
    const hash = screenHash({ region: "", ...sight.question });
    if (hash !== shown.hash) shown = { hash, seenSince: clock.monotonic() };
    const isDrawn = hash !== "";
    const left = isDrawn ? graceLeft(clock, asked(), shown, graceMs) : began + dialogDrawnMs - clock.monotonic();
    if (left <= 0) return;
    await pause(isDrawn ? left : Math.min(left, 50));
  }
}
