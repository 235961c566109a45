import { PanewardError } from "@paneward/sdk";
import type { TerminalRecord } from "../model/records.ts";

export type Running = TerminalRecord & { readonly place: NonNullable<TerminalRecord["place"]> };

/** The terminal, if its program runs and is still the same process. */
export function requireRunning(terminal: TerminalRecord | undefined, pid?: number): Running {
  if (terminal?.phase === "running" && terminal.place && (pid === undefined || terminal.place.pid === pid)) {
    return terminal as Running;
  }
  const name = terminal ? `${terminal.name} (${terminal.id})` : "that terminal";
  throw new PanewardError("wrong_state", `the program in ${name} no longer runs; nothing more was typed`, {
    ...(terminal ? { hint: runAgain(terminal) } : {}),
  });
}

/** What helps when its program has ended. Paneward restarts nothing in the user's own tmux. */
export function runAgain({ id, adopted }: Pick<TerminalRecord, "id" | "adopted">): string {
  if (adopted) return "start it again in your own tmux; `paneward ps` shows what runs";
  return `run it again with \`paneward restart ${id}\``;
}
