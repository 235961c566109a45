import { setTimeout as delay } from "node:timers/promises";

/** Waits until the look gives something; says what it was waiting for when it never does. */
export async function until<Seen>(
  what: string,
  look: () => Promise<Seen | undefined | false> | Seen | undefined | false,
  ms = 20_000,
): Promise<Seen> {
  for (const deadline = Date.now() + ms; ; ) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`);
    await delay(10);
  }
}
