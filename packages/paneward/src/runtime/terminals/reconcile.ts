import type { End } from "@paneward/sdk";
import { isLost } from "../../model/lost.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { FoundPane } from "../ports.ts";
import type { World } from "../world.ts";
import { giveUpStart, takeBack } from "./bring-back.ts";
import { foreignSocket } from "./foreign-host.ts";
import { reserveIds } from "./reserve-ids.ts";
import type { BookDeps, TerminalBook } from "./terminal-book.ts";
import { adoptUnknown } from "./unknown-sessions.ts";

/** What becomes of starts that a daemon did not end. */
interface How {
  readonly abandon: (record: TerminalRecord) => Promise<void>;
  readonly again: Parameters<typeof takeBack>[2];
}

/**
 * Compares the records with what runs, after the daemon was away, and records the ends that it missed. Returns how many
 * programs ran without a record.
 */
export async function reconcile(world: BookDeps, book: TerminalBook, how: How): Promise<number> {
  let unknown = 0;
  const records = world.store.terminals();
  const used = records.filter(({ phase, restoring }) => phase !== "ended" || restoring).map(({ host }) => host);
  for (const host of new Set(["local", ...used])) {
    const there = records.filter((record) => record.host === host);
    try {
      unknown += await reconcileHost(world, book, host, there, how);
    } catch (error) {
      if (host === "local") throw error;
      world.log.warn("a host does not answer; its terminals keep their last status", { host, error: String(error) });
    }
  }
  return unknown;
}

/** The end of a program whose tmux server is gone: from the journal's exit mark if it has one, else lost. */
export async function endWithServer(world: World, record: TerminalRecord, reason: string): Promise<End> {
  const { stopAskedBy: by, host, boot } = record;
  const known = await knownEnd(world, record, undefined);
  if (known) return known;
  // A person ended it; its server was lost before that was seen.
  if (by !== undefined) return { kind: "stopped", by };
  const isReboot = host === "local" && boot !== undefined && boot !== world.machine.boot;
  return { kind: "lost", reason: isReboot ? "the machine was started anew" : reason };
}

// From tmux, else from the journal.
async function knownEnd(world: World, record: TerminalRecord, seen: End | undefined): Promise<End | undefined> {
  if (seen && seen.kind !== "unknown") return seen;
  const { host, journal, place } = record;
  return world.terminals.lastEnd(host, journal, place?.pid ?? 0).catch(() => undefined);
}

async function reconcileHost(
  world: BookDeps,
  book: TerminalBook,
  host: string,
  records: readonly TerminalRecord[],
  { abandon, again }: How,
): Promise<number> {
  const found = await world.terminals.connect(host);
  if (host === "local") await reserveIds(world, found);
  for (const record of records) {
    if (record.phase === "starting") await abandon(record);
    else if (record.phase === "running") await reconcileTerminal(world, book, record, found);
    else if (isLost(record) && !(await takeBack(world, book, again, record, found))) giveUpStart(world, record);
  }
  return foreignSocket(host) === undefined ? adoptUnknown(world, book, host, found) : 0;
}

async function reconcileTerminal(
  world: World,
  book: TerminalBook,
  record: TerminalRecord,
  found: readonly FoundPane[],
): Promise<void> {
  const { place } = record;
  if (!place) return;
  const sameServer = found.filter((one) => one.place.server === place.server);
  const pane = sameServer.find((one) => one.place.pane === place.pane && one.place.pid === place.pid);
  if (pane && !pane.end) {
    book.found(record, place);
    await world.terminals.follow(place, record.host, record.journal);
    return;
  }
  if (sameServer.length === 0)
    return book.ended(record.id, await endWithServer(world, record, "the tmux server ended while the daemon was away"));
  const end = await knownEnd(world, record, pane?.end);
  const by = "tmux while the daemon was away";
  if (end) book.ended(record.id, end);
  else if (pane) book.ended(record.id, { kind: "stopped", by });
  else book.disappeared(record.id, by);
}
