import type { World } from "../world.ts";

const hourMs = 3_600_000;
const keepMs = 24 * hourMs;

/** Keeps what is kept bounded: events, and what removed or forgotten terminals left behind. At start and every hour. */
export function maintain(world: World): { stop(): void } {
  const once = () =>
    tidy(world).catch((error: Error) => world.log.error("tidying up failed", { error: error.message }));
  once();
  return { stop: world.clock.interval(hourMs, once) };
}

async function tidy(world: World): Promise<void> {
  const { config } = await world.configFor();
  const trimmed = world.store.trimEvents(config.daemon.event_retention);
  world.store.trimAudit(config.daemon.event_retention);
  const forgotten = forgetEnded(world);
  forgetSpoken(world);
  const known = new Set(world.store.terminals().map(({ journal }) => journal));
  const orphans = (await world.files.folders(world.places.journals)).filter(
    ({ path, changedAt }) => !known.has(path) && world.clock.now() - changedAt > keepMs,
  );
  for (const { path } of orphans) await world.files.remove(path);
  world.log.info("tidied up", { events: trimmed, terminals: forgotten, journals: orphans.length });
}

// A plain terminal whose program ended a day ago is forgotten, unless it was asked to be kept.
function forgetEnded(world: World): number {
  const old = world.store
    .terminals()
    .filter(
      ({ keep, task, phase, endedAt }) =>
        !keep && task === undefined && phase === "ended" && world.clock.now() - (endedAt ?? 0) > keepMs,
    );
  if (old.length === 0) return 0;
  for (const { host, session } of old) world.terminals.close(host, session).catch(() => {});
  world.store.write((writer) => {
    for (const { id, name } of old) {
      writer.removeTerminal(id);
      writer.append("terminal_removed", { terminal: id, name });
    }
  });
  return old.length;
}

// A closed question is looked up for a day; what was said to an agent is kept for a week after its end.
function forgetSpoken({ store, clock }: World): void {
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

const dayMs = 24 * 3_600_000;
