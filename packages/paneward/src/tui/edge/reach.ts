import { ownReach, type Reach } from "../state/state.ts";
import type { Outside } from "./outside.ts";

/** Over HTTP little is taken for granted until the daemon has said more. */
export function firstReach({ address }: Pick<Outside, "address">): Reach {
  return address === undefined ? ownReach : { address, scope: undefined, isHere: false };
}

/** What a token lets one do, and whether tmux, shells and editors can be used from here. */
export async function learnReach(
  { running, address, isHere }: Pick<Outside, "running" | "address" | "isHere">,
  learnt: (reach: Reach) => void,
): Promise<void> {
  if (address === undefined) return;
  const [{ scope }, here] = await Promise.all([running.whoami({}), isHere()]);
  learnt({ address, scope, isHere: here });
}
