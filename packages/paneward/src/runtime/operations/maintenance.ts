import type { Runtime } from "../world.ts";

const hourMs = 3_600_000;
const keepMs = 24 * hourMs;

/** Keeps what is kept bounded: events, and what removed or forgotten terminals left behind. At start and every hour. */
export function maintain(rt: Runtime): { stop(): void } {
  const once = () => tidy(rt).catch((error: Error) => rt.log.error("tidying up failed", { error: error.message }));
  once();
  const timer = setInterval(once, hourMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function tidy(rt: Runtime): Promise<void> {
  const { config } = await rt.configFor();
  const trimmed = rt.store.trimEvents(config.daemon.event_retention);
  rt.store.trimAudit(config.daemon.event_retention);
  const forgotten = forgetEnded(rt);
  forgetSpoken(rt);
  const known = new Set(rt.store.terminals().map(({ journal }) => journal));
  const orphans = (await rt.files.folders(rt.places.journals)).filter(
    ({ path, changedAt }) => !known.has(path) && rt.clock.now() - changedAt > keepMs,
  );
  for (const { path } of orphans) await rt.files.remove(path);
  rt.log.info("tidied up", { events: trimmed, terminals: forgotten, journals: orphans.length });
}

// A plain terminal whose program ended a day ago is forgotten, unless it was asked to be kept.
function forgetEnded(rt: Runtime): number {
  const old = rt.store
    .terminals()
    .filter(
      ({ keep, task, phase, endedAt }) =>
        !keep && task === undefined && phase === "ended" && rt.clock.now() - (endedAt ?? 0) > keepMs,
    );
  if (old.length === 0) return 0;
  for (const { host, session } of old) rt.terminals.close(host, session).catch(() => {});
  rt.store.write((writer) => {
    for (const { id, name } of old) {
      writer.removeTerminal(id);
      writer.append("terminal_removed", { terminal: id, name });
    }
  });
  return old.length;
}

// A closed question is looked up for a day; what was said to an agent is kept for a week after its end.
function forgetSpoken({ store, clock }: Runtime): void {
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
