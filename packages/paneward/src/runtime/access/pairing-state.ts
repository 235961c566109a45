import { PanewardError } from "@paneward/sdk";
import type { LoginRecord } from "../../model/records.ts";

/** What the terminal learns of a pairing. The number is only on the device: a person types it at the terminal. */
export type PairingState =
  | { readonly state: "open"; readonly codeIsOff: boolean }
  | { readonly state: "asked"; readonly device: string; readonly address: string }
  /** Only its passkey is missing. */
  | { readonly state: "confirmed"; readonly device: string; readonly address: string }
  | { readonly state: "paired"; readonly login: LoginRecord }
  | { readonly state: "over"; readonly why: string };

/** What a caller says that it has seen. */
export function nameOf(state: PairingState): PairingState["state"] | "code_is_off" {
  return state.state === "open" && state.codeIsOff ? "code_is_off" : state.state;
}

export const pairHint = "make a new one: `paneward pair`";

export function isOver({ state }: PairingState): boolean {
  return state === "over" || state === "paired";
}

export function requireOpen(state: PairingState): void {
  if (state.state === "open") return;
  const isOver = state.state === "over";
  throw notUsable(isOver ? state.why : "it was used already; if not by you, refuse what the terminal asks");
}

export function notAsked(state: PairingState): PanewardError {
  const why = state.state === "over" ? `is over: ${state.why}` : `is ${state.state}`;
  return new PanewardError("wrong_state", `this pairing ${why}`, { hint: pairHint });
}

export function notUsable(why: string): PanewardError {
  return new PanewardError("unauthorized", `this code cannot be used: ${why}`, { hint: pairHint });
}
