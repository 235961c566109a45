import type { Question } from "../shapes.ts";

/**
 * What a reader of the question was shown: the question, its options, what would be done, and whether that is proved. An
 * answer that carries its hash is refused once anything of it has changed.
 */
export function shownText(question: Question): string {
  const { id, kind, text, options, freeText, unverified, proposal, whole, doubt, reported } = question;
  // A ticked box, or the pointer, is not what is asked.
  const choices = options.map(({ number, label, key, description, does }) => [number, label, key, description, does]);
  return JSON.stringify([
    ...[id, kind, text, choices, freeText, unverified ?? false, whole, doubt],
    ...[proposal, reported].map(partsOf),
  ]);
}

/** The hash of that, in hex. For browsers; the daemon computes the same. */
export async function shownHash(question: Question): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(shownText(question)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function partsOf({ tool, command, path, diff, more }: NonNullable<Question["proposal"]> = {}) {
  return [tool, command, path, diff, more];
}
