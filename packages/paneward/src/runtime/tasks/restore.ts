import type { Output, Restore } from "@paneward/sdk";
import { PanewardError } from "@paneward/sdk";
import { type Around, byPerson, isLost, restoreOf, revived } from "../../model/lost.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Machine, Store } from "../ports.ts";
import type { Resumption } from "../terminals/bring-back.ts";
import { planAgain, type TaskDeps } from "./resume.ts";
import type { Variables } from "./task-launch.ts";

export type Restored = Output<"restore">["restored"][number];

export interface RestoreOptions {
  readonly variables?: Variables | undefined;
  /** Without a person: that is counted. */
  readonly byItself?: boolean;
  /** Only report what would be done. */
  readonly dryRun?: boolean;
}

/** What is known around a lost program. */
export function around(world: { readonly store: Store; readonly machine: Machine }, record: TerminalRecord): Around {
  const hasFolder = record.host !== "local" || world.machine.isFolder(record.cwd);
  return { task: record.task === undefined ? undefined : world.store.task(record.task), hasFolder };
}

/** Whether a lost program can be restored; undefined for one that is not lost. */
export function restorable(
  world: { readonly store: Store; readonly machine: Machine },
  record: TerminalRecord,
): Restore | undefined {
  return isLost(record) ? restoreOf(record, around(world, record)) : undefined;
}

/** Starts a lost program again, unless it runs by now. The caller holds its lock. Does not throw: what fails has a reason. */
export async function restoreTerminal(
  deps: TaskDeps,
  record: TerminalRecord,
  { variables = {}, byItself = false, dryRun = false }: RestoreOptions,
): Promise<Restored> {
  const named = nameOf(deps, record);
  if (!isLost(record)) return { ...named, ...notLost(record) };
  const found = restorable(deps, record);
  if (!found?.can) return { ...named, outcome: "cannot", reason: found?.reason ?? "its task is completed" };
  try {
    const { again, resumed } = await planAgain(deps, record, variables);
    requireNoOther(deps, resumed);
    const as = resumed ? "conversation" : "anew";
    if (dryRun) return { ...named, outcome: "would", as };
    const begun = byItself ? revived(again, deps.clock.now()) : byPerson(again);
    if (begun.held !== undefined) return { ...named, outcome: "cannot", reason: held(deps, record, begun.held) };
    const running = await deps.supervisor.restore(begun, resumed);
    return { ...named, outcome: "restored", as, ...(running.phase === "ended" ? { reason: "it ended again" } : {}) };
  } catch (error) {
    const reason = reasonOf(error);
    const now = deps.store.terminal(record.id);
    // Nobody asked for it, so the list has to say why it did not come back.
    if (byItself && now && isLost(now)) held(deps, now, now.held ?? `it did not come back by itself: ${reason}`);
    return { ...named, outcome: "cannot", reason };
  }
}

function held({ store }: TaskDeps, record: TerminalRecord, why: string): string {
  store.keep((writer) => writer.putTerminal({ ...record, held: why }));
  return why;
}

function nameOf({ store }: Pick<TaskDeps, "store">, { id, name, task }: TerminalRecord): Pick<Restored, "id" | "name"> {
  const slug = task === undefined ? undefined : store.task(task)?.slug;
  return slug === undefined ? { id, name } : { id: String(task), name: slug };
}

function notLost({ phase, end, task, id }: TerminalRecord): Pick<Restored, "outcome" | "reason"> {
  if (phase !== "ended") return { outcome: "runs", reason: "it runs" };
  const again = task === undefined ? `paneward restart ${id}` : `paneward start ${task}`;
  const how = end?.kind === "stopped" ? "was stopped" : "ended by itself";
  return { outcome: "cannot", reason: `it ${how}, and was not lost; \`${again}\` runs it again` };
}

// A person may have resumed the conversation elsewhere: two agents would write into one file.
function requireNoOther({ agents }: TaskDeps, resumed: Resumption | undefined): void {
  if (!resumed) return;
  const { id, session_id: session } = resumed.agent;
  const other = agents.active().find((one) => one.id !== id && one.session_id === session);
  if (!other) return;
  const where = other.terminal ?? other.tmux_pane_id ?? "outside of tmux";
  throw new PanewardError("wrong_state", `its conversation continues elsewhere: agent ${other.id}, ${where}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PanewardError)) return String((error as Error).message ?? error);
  // The hint that every error of its kind has is about another input.
  const isOwn = error.hint !== undefined && error.hint !== error.row.hint;
  return isOwn ? `${error.message}; ${error.hint}` : error.message;
}
