import { type OperationName, PanewardError } from "@paneward/sdk";
import type { Limits } from "./limits.ts";

/** Gives something back; more than once is the same as once. */
export type GiveBack = () => void;

/** What one caller on TCP may have at the same time. Each takes one, or throws `rate_limited`. */
export interface Shares {
  /** A request or call whose response was not taken yet. */
  readonly request: (who: string) => GiveBack;
  /** A long body that is being read. */
  readonly longBody: (who: string) => GiveBack;
  /** A long response that was not taken yet. */
  readonly longAnswer: (who: string) => GiveBack;
}

/** Requests, bodies and responses are kept in memory: what one caller leaves unfinished is bounded. */
export function createShares({ maxRequests, maxLongBodies, maxLongAnswers }: Limits): Shares {
  return {
    request: share(maxRequests, "requests of this caller are not answered, or their responses not read"),
    longBody: share(maxLongBodies, "long bodies of this caller at the same time"),
    longAnswer: share(maxLongAnswers, "long responses to this caller were not read yet"),
  };
}

/** Bodies and responses of more bytes, or characters, are long. */
export const longText = 262_144;

/**
 * Takes the share of what may have a long response before it is made, and refuses it while its caller can get none: it would
 * be made for nothing. One that waits for output takes it when there is some.
 */
export function reserveRoom(
  { longAnswer }: Shares,
  who: string,
  name: OperationName,
  input: object,
): GiveBack | undefined {
  if (!mayBeLong(name, input)) return undefined;
  const giveBack = longAnswer(who);
  if (!(Number(Reflect.get(input, "wait")) > 0)) return giveBack;
  giveBack();
  return undefined;
}

function mayBeLong(name: OperationName, input: object): boolean {
  if (name === "read") return Number(Reflect.get(input, "max_bytes")) > longText;
  return name === "diff" && Reflect.get(input, "stat") !== true;
}

function share(most: number, what: string): (who: string) => GiveBack {
  const taken = new Map<string, number>();
  const change = (who: string, difference: 1 | -1) => {
    const count = (taken.get(who) ?? 0) + difference;
    if (count > 0) taken.set(who, count);
    else taken.delete(who);
  };
  return (who) => {
    if ((taken.get(who) ?? 0) >= most) {
      throw new PanewardError("rate_limited", `more than ${most} ${what}`, {
        hint: "read the responses, then try again",
      });
    }
    change(who, 1);
    let isTaken = true;
    return () => {
      if (isTaken) change(who, -1);
      isTaken = false;
    };
  };
}
