import { type End, parseSessionName } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import type { FoundPane } from "../ports.ts";
import type { World } from "../world.ts";
import { foreignSocket } from "./foreign-host.ts";
import type { TerminalBook } from "./terminal-book.ts";

/** Compares what is written down with what runs, after the daemon was away. Ends that nobody saw are told now. */
export async function reconcile(
  world: World,
  book: TerminalBook,
  abandon: (record: TerminalRecord) => Promise<void>,
): Promise<void> {
  const records = world.store.terminals();
  const used = records.filter(({ phase }) => phase !== "ended").map(({ host }) => host);
  for (const host of new Set(["local", ...used])) {
    const there = records.filter((record) => record.host === host);
    try {
      await reconcileHost(world, book, host, there, abandon);
    } catch (error) {
      if (host === "local") throw error;
      world.log.warn("a host does not answer; its terminals are shown as they were", { host, error: String(error) });
    }
  }
}

/** How a program ended that nobody watched: tmux knows, or the journal does; else it depends on the server. */
export async function unseenEnd(
  world: World,
  record: TerminalRecord,
  seen: End | undefined,
  sameServer: boolean,
): Promise<End> {
  if (seen && seen.kind !== "unknown") return seen;
  const { host, journal, place } = record;
  const written = await world.terminals.lastEnd(host, journal, place?.pid ?? 0).catch(() => undefined);
  if (written) return written;
  return sameServer
    ? { kind: "stopped", by: "tmux while the daemon was away" }
    : { kind: "lost", reason: "the tmux server ended while the daemon was away" };
}

async function reconcileHost(
  world: World,
  book: TerminalBook,
  host: string,
  records: readonly TerminalRecord[],
  abandon: (record: TerminalRecord) => Promise<void>,
): Promise<void> {
  const found = await world.terminals.connect(host);
  for (const record of records) {
    if (record.phase === "starting") await abandon(record);
    else if (record.phase === "running") await reconcileTerminal(world, book, record, found);
  }
  if (foreignSocket(host) !== undefined) return;
  const known = new Set(world.store.terminals().map(({ session }) => session));
  // A session without a name of ours is somebody else's, or a workspace.
  for (const { sessionName } of found.filter((pane) => parseSessionName(pane.sessionName))) {
    if (!known.has(sessionName)) await world.terminals.close(host, sessionName).catch(() => {});
  }
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
  book.ended(record.id, await unseenEnd(world, record, pane?.end, sameServer.length > 0));
}
