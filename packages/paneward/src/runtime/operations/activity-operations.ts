import { lastLine } from "../../model/output/last-line.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Handlers } from "../handlers.ts";
import { minutes, type OutputCounts } from "../output/output-counts.ts";
import { resolveTerminal } from "../resolve.ts";
import type { Runtime } from "../world.ts";

/** What a terminal's output looks like from afar: who is busy, the last line, and when it printed what. */
export function activityOperations(rt: Runtime, counts: OutputCounts) {
  return {
    activity: async ({ id }) => {
      const wanted = id === undefined ? rt.store.terminals() : [resolveTerminal(rt, id)];
      const terminals = await Promise.all(wanted.map((terminal) => glance(rt, counts, terminal)));
      return { minute: counts.thisMinute() * 60_000, terminals };
    },
    recording: async ({ id }) => {
      const terminal = resolveTerminal(rt, id);
      const parts = await rt.terminals.times(terminal.host, terminal.journal);
      const { columns, rows } = terminal;
      return {
        id: terminal.id,
        columns,
        rows,
        parts: parts.map((part) => ({ ...part, times: part.times.map(([byte, ms]): [number, number] => [byte, ms]) })),
      };
    },
  } satisfies Partial<Handlers>;
}

/** One terminal's row. A screen that cannot be had, as its pane is gone, is an empty line. */
export async function glance(rt: Runtime, counts: OutputCounts, terminal: TerminalRecord) {
  const { id, host, place, phase } = terminal;
  const seen = counts.of(id);
  // A host that nothing runs on is not woken for this.
  const isThere = phase === "running" || host === "local";
  const lines = place && isThere ? await rt.terminals.screen(host, place, false).catch(() => undefined) : undefined;
  return {
    id,
    counts: seen.length === minutes ? [...seen] : [],
    last: lastLine(lines?.lines ?? []),
  };
}
