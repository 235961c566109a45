import { setTimeout as delay } from "node:timers/promises";

/** Waits until the condition is truthy; fails with its name after a timeout. */
export async function until<Found>(
  name: string,
  condition: () => Found | Promise<Found>,
  deadlineMs = 30_000,
): Promise<NonNullable<Exclude<Found, false>>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await condition();
    if (found) return found as NonNullable<Exclude<Found, false>>;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain until ${name}`);
    await delay(10);
  }
}
