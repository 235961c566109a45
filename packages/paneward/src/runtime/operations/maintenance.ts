import { removeAttachments } from "../attachment-folder.ts";
import { sureAge } from "../steady-time.ts";
import type { World } from "../world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const keepLostMs = 30 * dayMs;
const justBegunMs = 60_000;

type UpkeepWorld = Pick<World, "clock" | "configFor" | "files" | "log" | "places" | "store" | "terminals">;

/** Bounds what is stored: events, and what removed terminals, agents and questions left behind. At start and every hour. */
export function maintain(world: UpkeepWorld, more: () => void = () => {}): { stop(): void } {
  const once = () =>
    tidy(world, more).catch((error: Error) => world.log.error("maintenance failed", { error: error.message }));
  once();
  return { stop: world.clock.interval(hourMs, once) };
}

async function tidy(world: UpkeepWorld, more: () => void): Promise<void> {
  const { config } = await world.configFor();
  const events = world.store.trimEvents(config.daemon.event_retention);
  world.store.trimAudit(config.daemon.event_retention);
  const terminals = await forgetEnded(world);
  forgetConversations(world);
  more();
  const journals = (await removeLocalJournals(world)) + (await removeRemoteJournals(world, Object.keys(config.hosts)));
  await backUpDaily(world);
  world.log.info("maintenance done", { events, terminals, journals });
}

// A plain terminal is forgotten a day after its program ended, unless it is to be kept.
async function forgetEnded(world: UpkeepWorld): Promise<number> {
  const { store, clock, terminals } = world;
  const old = store
    .terminals()
    .filter(
      ({ keep, keepRunning, end, task, phase, endedAt }) =>
        !keep &&
        !(keepRunning && end?.kind === "lost") &&
        task === undefined &&
        phase === "ended" &&
        sureAge(clock, endedAt ?? 0) > dayMs,
    );
  if (old.length === 0) return 0;
  for (const { host, session } of old) terminals.close(host, session).catch(() => {});
  store.write((writer) => {
    for (const { id, name } of old) {
      writer.removeTerminal(id);
      writer.append("terminal_removed", { terminal: id, name });
    }
  });
  for (const { id } of old) await removeAttachments(world, id);
  return old.length;
}

// A closed question can be looked up for a day; a conversation is kept for a week after its agent ended.
function forgetConversations({ store, clock }: UpkeepWorld): void {
  store.write((writer) => {
    // The end of an agent outside of tmux cannot be seen.
    for (const agent of store.agents()) {
      const { id, name, terminal, endedAt, hookedAt = agent.startedAt } = agent;
      if (terminal !== undefined || endedAt !== undefined || sureAge(clock, hookedAt) <= dayMs) continue;
      writer.putAgent({ ...agent, endedAt: clock.now() });
      writer.append("session_ended", { agent: id, name, reason: "it has not reported for a day" });
    }
    for (const { id, closedAt } of store.questions()) {
      if (closedAt !== undefined && sureAge(clock, closedAt) > dayMs) writer.removeQuestion(id);
    }
    for (const { id, endedAt } of store.agents()) {
      if (endedAt !== undefined && sureAge(clock, endedAt) > 7 * dayMs) writer.removeAgent(id);
    }
  });
}

// A backup of records that just began empty would soon have displaced those of the lost ones.
async function backUpDaily({ store, clock, log }: UpkeepWorld): Promise<void> {
  const [newest] = store.backups();
  if (!isBackupDue(clock.now(), store.began().began, newest?.at)) return;
  const startedAt = clock.monotonic();
  await store.backUp();
  log.info("backup made", { ms: Math.round(clock.monotonic() - startedAt) });
}

/**
 * At once if there is none, unless there is nothing to keep yet; again when the first records are an hour old, and then
 * once a day. A machine's clock may have been set: a date in the future counts like one in the past.
 */
export function isBackupDue(now: number, began: number, newest: number | undefined): boolean {
  const age = Math.abs(now - began);
  if (newest === undefined) return age >= justBegunMs;
  const isOfLostRecords = newest < began;
  const isFirst = !isOfLostRecords && newest - began < hourMs;
  if (isFirst && age >= hourMs) return true;
  return Math.abs(now - newest) >= dayMs && (!isOfLostRecords || age >= dayMs);
}

async function removeLocalJournals({ store, clock, files, places }: UpkeepWorld): Promise<number> {
  const known = new Set(store.terminals().map(({ journal }) => journal));
  // Older ones may belong to records that were lost and can still be restored.
  const { began, repaired } = store.began();
  const recordsSince = Math.max(began, repaired);
  const orphans = (await files.folders(places.journals)).filter(({ path, changedAt }) => {
    const age = sureAge(clock, changedAt);
    return !known.has(path) && age > (changedAt < recordsSince ? keepLostMs : dayMs);
  });
  for (const { path } of orphans) await files.remove(path);
  return orphans.length;
}

// A host that is not connected is not woken for this; its journals are removed another time.
async function removeRemoteJournals(world: UpkeepWorld, hosts: readonly string[]): Promise<number> {
  const { store, terminals, places, log, clock } = world;
  const { began, repaired } = store.began();
  const days = Math.abs(clock.now() - Math.max(began, repaired)) < keepLostMs ? keepLostMs / dayMs : 1;
  let removed = 0;
  for (const host of hosts) {
    try {
      const old = await terminals.oldJournals(host, places.journals, days);
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
