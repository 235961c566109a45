import { isGuarded, type Sight } from "./submission.ts";

/** What is known of an agent's turn since Enter: one that begins after it, in an agent that rested, is about our text. */
export interface TurnWatch {
  readonly rested: boolean;
  readonly beganAt?: number;
}

/** `worked`: it worked when Enter was pressed, or was not looked at; then its next turn counts. */
export function turnWatch(worked: boolean): TurnWatch {
  return { rested: !worked };
}

export function afterLook(watch: TurnWatch, sight: Sight, now: number): TurnWatch {
  if (watch.beganAt !== undefined) return watch;
  const inTurn = sight.inTurn === true || isGuarded(sight);
  if (inTurn) return watch.rested ? { ...watch, beganAt: now } : watch;
  const rests = sight.draft !== undefined && sight.working !== true;
  return rests ? { rested: true } : watch;
}
