import { setTimeout as delay } from "node:timers/promises";

/** Waits until the condition returns a value; a timeout fails with its name. */
export async function until<Found>(
  name: string | (() => string),
  condition: () => Found | Promise<Found>,
  deadlineMs = 45_000,
): Promise<NonNullable<Exclude<Found, false>>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await condition();
    if (found) return found as NonNullable<Exclude<Found, false>>;
    if (performance.now() > deadline) {
      throw new Error(`waited ${deadlineMs} ms without success until ${typeof name === "string" ? name : name()}`);
    }
    await delay(20);
  }
}
