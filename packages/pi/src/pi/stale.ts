import type { PiContext } from "./api.ts";

/**
 * Whether pi has left this session. Its handles throw then; a program that uses pi as a library may drop a session
 * without an event.
 */
export function isStale(ctx: PiContext): boolean {
  try {
    ctx.isIdle();
    return false;
  } catch {
    return true;
  }
}
