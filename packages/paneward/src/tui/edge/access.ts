import { type Access, localAccess } from "../state/state.ts";
import type { TuiContext } from "./context.ts";

/** Over HTTP, assume little until `loadAccess` has asked the daemon. */
export function initialAccess({ address }: Pick<TuiContext, "address">): Access {
  return address === undefined ? localAccess : { address, scope: undefined, isHere: false };
}

/** Asks for the token's scope, and whether tmux, shells and editors can be used on this machine. */
export async function loadAccess(
  { running, address, isHere }: Pick<TuiContext, "running" | "address" | "isHere">,
  onLoaded: (access: Access) => void,
): Promise<void> {
  if (address === undefined) return;
  const [{ scope }, here] = await Promise.all([running.whoami({}), isHere()]);
  onLoaded({ address, scope, isHere: here });
}
