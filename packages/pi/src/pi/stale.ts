import type { PiContext } from "./api.ts";

/** Has pi left this session? Its handles throw then, and a program that holds pi as a library may say no word before. */
export function isStale(ctx: PiContext): boolean {
  try {
    ctx.isIdle();
    return false;
  } catch {
    return true;
  }
}
