import type { World } from "../world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type UpkeepWorld = Pick<World, "clock" | "configFor" | "files" | "log" | "places" | "store" | "terminals">;

/** Bounds what is stored: events, and what removed terminals, agents and questions left behind. At start and every hour. */
export function maintain(world: UpkeepWorld): { stop(): void } {
  const once = () =>
    tidy(world).catch((error: Error) => world.log.error("maintenance failed", { error: error.message }));
  once();
  return { stop: world.clock.interval(hourMs, once) };
}

async function tidy(world: UpkeepWorld): Promise<void> {
  const { config } = await world.configFor();
  const events = world.store.trimEvents(config.daemon.event_retention);
  world.store.trimAudit(config.daemon.event_retention);
  const terminals = forgetEnded(world);
  forgetConversations(world);
  const journals = (await removeLocalJournals(world)) + (await removeRemoteJournals(world, Object.keys(config.hosts)));
  world.log.info("maintenance done", { events, terminals, journals });
}

// A plain terminal is forgotten a day after its program ended, unless it is to be kept.
function forgetEnded({ store, clock, terminals }: UpkeepWorld): number {
  const old = store
    .terminals()
    .filter(
      ({ keep, task, phase, endedAt }) =>
        !keep && task === undefined && phase === "ended" && clock.now() - (endedAt ?? 0) > dayMs,
    );
  if (old.length === 0) return 0;
  for (const { host, session } of old) terminals.close(host, session).catch(() => {});
  store.write((writer) => {
    for (const { id, name } of old) {
      writer.removeTerminal(id);
      writer.append("terminal_removed", { terminal: id, name });
    }
  });
  return old.length;
}

// A closed question can be looked up for a day; a conversation is kept for a week after its agent ended.
function forgetConversations({ store, clock }: UpkeepWorld): void {
  const now = clock.now();
  store.write((writer) => {
    for (const { id, closedAt } of store.questions()) {
      if (closedAt !== undefined && now - closedAt > dayMs) writer.removeQuestion(id);
    }
    for (const { id, endedAt } of store.agents()) {
      if (endedAt !== undefined && now - endedAt > 7 * dayMs) writer.removeAgent(id);
    }
  });
}

async function removeLocalJournals({ store, clock, files, places }: UpkeepWorld): Promise<number> {
  const known = new Set(store.terminals().map(({ journal }) => journal));
  const orphans = (await files.folders(places.journals)).filter(
    ({ path, changedAt }) => !known.has(path) && clock.now() - changedAt > dayMs,
  );
  for (const { path } of orphans) await files.remove(path);
  return orphans.length;
}

// A host that is not connected is not woken for this; its journals are removed another time.
async function removeRemoteJournals(world: UpkeepWorld, hosts: readonly string[]): Promise<number> {
  const { store, terminals, places, log } = world;
  let removed = 0;
  for (const host of hosts) {
    try {
      const old = await terminals.oldJournals(host, places.journals, 1);
      const known = new Set(store.terminals().flatMap((one) => (one.host === host ? [one.journal] : [])));
      for (const journal of old.filter((one) => !known.has(one))) {
        await terminals.removeJournal(host, journal);
        removed++;
      }
    } catch (error) {
      log.warn("journals of a host could not be removed", { host, error: String(error) });
    }
  }
  return removed;
}
