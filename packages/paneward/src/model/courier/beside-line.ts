import type { DeliveryContent } from "../records.ts";
import { isGuarded, isSecret, type Obstacle, obstacle, type Sight } from "./submission.ts";

/** Whether a delivery can go to the agent beside its input line: as a prompt, now or when something is out of the way. */
export type BesideLine =
  | { readonly kind: "prompt" }
  | { readonly kind: "keys" }
  | ({ readonly kind: "held" } & Obstacle);

/**
 * By what is wished and shown. A draft stays where it is and copy mode is not disturbed, so neither holds a prompt; an open
 * dialog does. A secret, a command of the agent, a line of its shell and a text that `force` types behind a draft belong
 * into the terminal.
 */
export function besideLine(sight: Sight, wish: DeliveryContent): BesideLine {
  if (!isPrompt(wish) || !sight.isAgent || isSecret(sight) || sight.inShell) return { kind: "keys" };
  if (wish.force && (sight.draft ?? "").trim() !== "") return { kind: "keys" };
  if (!isGuarded(sight)) return { kind: "prompt" };
  const inTheWay = obstacle({ ...sight, inMode: false }, wish);
  return inTheWay ? { kind: "held", ...inTheWay } : { kind: "keys" };
}

/** A text for the agent, and Enter. */
export function isPrompt({ text, enter, keys, command }: DeliveryContent): boolean {
  return enter && keys.length === 0 && !command && text.trim() !== "";
}
