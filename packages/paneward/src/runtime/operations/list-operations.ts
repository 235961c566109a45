import { type EventType, PanewardError } from "@paneward/sdk";
import { eventTypes } from "@paneward/sdk/reference";
import type { TerminalRecord } from "../../model/records.ts";
import type { Handlers } from "../calls.ts";
import { wait } from "../output/waits.ts";
import { resolve } from "../resolve.ts";
import { sureAge } from "../steady-time.ts";
import { countLost } from "../tasks/come-back.ts";
import { restorable } from "../tasks/restore.ts";
import type { WorkAmounts } from "../tasks/work-amounts.ts";
import type { World } from "../world.ts";
import { explain } from "./explain.ts";
import { moveItBack, stateFolderTrouble } from "./state-folder.ts";
import { taskView, terminalView, type ViewDeps } from "./views.ts";

export interface ListDeps extends World, ViewDeps {
  readonly amounts: WorkAmounts;
}

const recentMs = 24 * 3_600_000;

/** A look at the files of the database costs as much as all else about a short list. */
const sameTroubleMs = 10;

/** Lists of tasks, terminals, sessions and events, and waiting for them. */
export function listOperations(deps: ListDeps) {
  const { amounts } = deps;
  let looked = { at: Number.NEGATIVE_INFINITY, found: {} as { readonly storage?: string } };
  const troubleNow = () => {
    const at = deps.clock.monotonic();
    if (at - looked.at >= sameTroubleMs) looked = { at, found: storageTrouble(deps) };
    return looked.found;
  };
  return {
    ps: async ({ all, root }) => {
      const tasks = () => deps.store.tasks().filter((one) => root === undefined || isInside(root, one.root));
      await amounts.refresh(tasks());
      // Read again: `lastEvent` below must not be newer than what is listed.
      const shown = tasks().map((one) => taskView(deps, one, amounts.known(one.id)));
      const terminals = deps.store.terminals().filter((one) => one.task === undefined && (all || isListed(deps, one)));
      const lost = countLost(deps);
      return {
        tasks: shown.filter(({ status }) => all || status !== "Completed"),
        terminals: root === undefined ? terminals.map((one) => terminalView(deps, one)) : [],
        lastEvent: deps.store.eventRange().newest,
        ...(lost && lost.can + lost.cannot > 0 ? { restore: lost } : {}),
        ...troubleNow(),
      };
    },
    sessions: async () => {
      const sessions = await deps.terminals.sessions("local");
      return { sessions: sessions.map((session) => ({ ...session, ...owner(deps, session.name) })) };
    },
    refresh: async ({ reason }) => {
      amounts.forget();
      deps.store.keep((writer) => writer.append("tasks_changed", { reason }));
      return { told: true };
    },
    focus: async ({ id }) => {
      const found = resolve(deps, id);
      const known = found.kind === "task" ? String(found.task.id) : found.terminal.id;
      deps.store.keep((writer) => writer.append("focus_changed", { id: known }));
      return { told: true };
    },
    explain: async ({ id }) => explain(deps, id),
    events: async ({ after, limit, types }) => {
      const wanted = types === undefined ? undefined : new Set(types.split(",").map(requireEventType));
      const { oldest, newest } = deps.store.eventRange();
      const page = deps.store.events(after, limit);
      const gap = after + 1 < oldest ? { type: "gap" as const, after, before: oldest - 1 } : undefined;
      const last = page.at(-1)?.seq ?? Math.min(after, newest);
      return {
        events: page.filter(({ type }) => !wanted || wanted.has(type)),
        ...{ last, more: last < newest },
        ...(gap ? { gap } : {}),
      };
    },
    wait: (input, caller) => wait(deps, input, caller),
    audit: async ({ limit }) => ({ entries: [...deps.store.audits(limit)] }),
  } satisfies Partial<Handlers>;
}

function requireEventType(type: string): EventType {
  const known = eventTypes.find((one) => one === type);
  if (known) return known;
  const hint = `there are ${eventTypes.join(", ")}`;
  throw new PanewardError("bad_input", `there is no event type ${type}`, { hint });
}

// What can be restored is not forgotten after a day.
function isListed(deps: ListDeps, one: TerminalRecord): boolean {
  return one.phase !== "ended" || isRecent(deps, one.endedAt) || restorable(deps, one)?.can === true;
}

function isRecent(deps: Pick<World, "clock">, endedAt: number | undefined): boolean {
  return endedAt !== undefined && sureAge(deps.clock, endedAt) < recentMs;
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

/** By its record: a name alone says nothing, as that of a session that was found after the database was lost. */
function owner(
  { store }: Pick<ListDeps, "store">,
  session: string,
): { readonly task?: number; readonly terminal?: string } {
  const record = store.terminals().findLast((one) => one.host === "local" && one.session === session);
  if (!record) return {};
  return record.task === undefined ? { terminal: record.id } : { task: record.task };
}

function storageTrouble(world: Pick<World, "store" | "machine" | "places">): { readonly storage?: string } {
  const { store } = world;
  const gone = stateFolderTrouble(world);
  if (gone !== undefined) return { storage: `${gone}: new work is refused; ${moveItBack}` };
  const damage = store.damage();
  if (damage !== undefined) return { storage: `the database is damaged: ${damage}; see \`paneward doctor\`` };
  const { full, isBusy, waiting } = store.room();
  if (full === undefined) return {};
  const why = isBusy ? "another process holds the database" : "no room on the disk";
  return { storage: `${why}: ${waiting} changes wait in memory until that changes; new work is refused` };
}
