import { lastLine } from "../../model/output/last-line.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Handlers } from "../calls.ts";
import { minutes, type OutputCounts } from "../output/output-counts.ts";
import { resolveTerminal } from "../resolve.ts";
import type { World } from "../world.ts";

/** Summaries of output: how busy each terminal is, its last line, and when it printed what. */
export function activityOperations(world: World, counts: OutputCounts) {
  return {
    activity: async ({ id }) => {
      const wanted = id === undefined ? world.store.terminals() : [resolveTerminal(world, id)];
      const terminals = await Promise.all(wanted.map((terminal) => glance(world, counts, terminal)));
      return { minute: counts.thisMinute() * 60_000, terminals };
    },
    recording: async ({ id }) => {
      const terminal = resolveTerminal(world, id);
      const parts = await world.terminals.times(terminal.host, terminal.journal);
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

/** One terminal's row. Without a pane the last line is empty. */
export async function glance(world: World, counts: OutputCounts, terminal: TerminalRecord) {
  const { id, host, place, phase } = terminal;
  const seen = counts.of(id);
  // A host that nothing runs on is not woken for this.
  const isThere = phase === "running" || host === "local";
  const lines = place && isThere ? await world.terminals.screen(host, place, false).catch(() => undefined) : undefined;
  return {
    id,
    counts: seen.length === minutes ? [...seen] : [],
    last: lastLine(lines?.lines ?? []),
  };
}
