import { PanewardError } from "@paneward/sdk";
import { afterFailure, afterInterruption } from "../../model/lost.ts";
import type { AgentRecord, PanePlace, Restoring, TerminalRecord } from "../../model/records.ts";
import { survivorsGoMs } from "../../model/timing.ts";
import { placeKey } from "../places.ts";
import type { FoundPane } from "../ports.ts";
import { openSpec } from "./plan-terminal.ts";
import type { BookDeps, TerminalBook } from "./terminal-book.ts";

/** An agent whose earlier conversation is resumed, and the command for that. */
export interface Resumption {
  readonly agent: AgentRecord;
  readonly argv: readonly string[];
}

/** Records that a program runs again. */
type Started = (record: TerminalRecord, place: PanePlace, resumed: AgentRecord | undefined) => TerminalRecord;

/**
 * Starts a lost program again, at most once. That it is being started is recorded first, and tmux refuses a second session of
 * its name: after a kill at any moment, the next daemon finds the session or knows that there is none.
 */
export async function bringBack(
  deps: BookDeps,
  book: TerminalBook,
  started: Started,
  record: TerminalRecord,
  resumed: Resumption | undefined,
): Promise<TerminalRecord> {
  const { store, terminals, attention } = deps;
  const panes = await terminals.panes(record.host);
  const taken = await takeBack(deps, book, started, record, panes);
  if (taken) return taken;
  await untilNothingIsLeft(deps, record);
  const restoring = restoringNow(deps, record, resumed !== undefined);
  const { held: _held, ...marked }: TerminalRecord = { ...record, restoring };
  store.write((writer) => writer.putTerminal(marked));
  // If it takes the machine down, the next daemon must know.
  await store.settled();
  await attention.restarts(marked);
  try {
    // What an earlier try left, of which nothing runs.
    if (panes.some(({ sessionName }) => sessionName === record.session))
      await terminals.close(record.host, record.session);
    const place = await terminals.open({ ...openSpec(marked), argv: resumed?.argv ?? marked.argv });
    return started(marked, place, resumed?.agent);
  } catch (error) {
    const mayRun = !(error instanceof PanewardError) || error.code === "outcome_unknown";
    store.keep((writer) => writer.putTerminal(afterFailure(marked, String((error as Error).message), mayRun)));
    throw error;
  }
}

/** A lost program that runs after all, or has run: it becomes a terminal again. Undefined when there is nothing of it. */
export async function takeBack(
  deps: BookDeps,
  book: TerminalBook,
  started: Started,
  record: TerminalRecord,
  found: readonly FoundPane[],
): Promise<TerminalRecord | undefined> {
  const { store, terminals, agents } = deps;
  const isSame = ({ place }: FoundPane) => record.place !== undefined && placeKey(place) === placeKey(record.place);
  const there = found.filter((pane) => isSame(pane) || pane.sessionName === record.session);
  const pane = there.find(({ end }) => end === undefined) ?? there.find((one) => isSame(one) || record.restoring);
  if (!pane || !(isSame(pane) || (await isOfTerminal(deps, record)))) return undefined;
  const goesOn = isSame(pane) || record.restoring?.resumes === true;
  const taken = started(record, pane.place, goesOn ? agents.of(record.id) : undefined);
  await terminals.follow(pane.place, record.host, record.journal);
  if (pane.end) book.ended(record.id, pane.end);
  return store.terminal(record.id) ?? taken;
}

/** After a daemon that ended while it started a lost program, of which nothing was found. */
export function giveUpStart({ store, machine }: BookDeps, record: TerminalRecord): void {
  if (record.restoring) store.keep((writer) => writer.putTerminal(afterInterruption(record, machine.boot)));
}

// Anybody can open a session of that name.
async function isOfTerminal({ terminals }: BookDeps, { host, session, id }: TerminalRecord): Promise<boolean> {
  return (await terminals.sessionVariable(host, session, "PANEWARD_TERMINAL")) === id;
}

function restoringNow({ clock, machine }: BookDeps, { revival }: TerminalRecord, resumes: boolean): Restoring {
  // A start without a person was recorded as such just before.
  const at = revival?.at ?? clock.now();
  return { at, resumes, ...(machine.boot === undefined ? {} : { boot: machine.boot }) };
}

// A program may outlive its terminal for a moment, to tidy up, or for long, if it ignores the hangup.
async function untilNothingIsLeft({ machine, clock }: BookDeps, record: TerminalRecord): Promise<void> {
  const { id, name, host, place, boot } = record;
  if (host !== "local" || !place || boot !== machine.boot) return;
  const deadline = clock.monotonic() + survivorsGoMs;
  for (let left = machine.leftOf(id, place.pid); left.length > 0; left = machine.leftOf(id, place.pid)) {
    if (clock.monotonic() > deadline) throw stillRuns(name, record.task ?? id, left);
    await clock.sleep(leftLookMs);
  }
}

function stillRuns(name: string, id: string | number, left: readonly number[]): PanewardError {
  const pids = left.slice(0, 10).join(" ");
  const message = `${name} still runs, outside of any terminal: process ${pids}`;
  return new PanewardError("wrong_state", message, { hint: `\`kill ${pids}\`, then \`paneward restore ${id}\`` });
}

const leftLookMs = 100;
