import { type EventType, eventTypes, PanewardError, parseSessionName } from "@paneward/sdk";
import type { Handlers } from "../handlers.ts";
import { wait } from "../output/waits.ts";
import { resolve } from "../resolve.ts";
import type { WorkAmounts } from "../tasks/work-amounts.ts";
import type { Runtime } from "../world.ts";
import { explain } from "./explain.ts";
import { taskView, terminalView } from "./views.ts";

const recentMs = 24 * 3_600_000;

/** What there is and what happens. */
export function listOperations(rt: Runtime, amounts: WorkAmounts) {
  return {
    ps: async ({ all, root }) => {
      const tasks = () => rt.store.tasks().filter((one) => root === undefined || isInside(root, one.root));
      await amounts.refresh(tasks());
      // Read again: `lastEvent` below must not be newer than what is listed.
      const shown = tasks().map((one) => taskView(rt, one, amounts.known(one.id)));
      const terminals = rt.store
        .terminals()
        .filter((one) => one.task === undefined && (all || one.phase !== "ended" || isRecent(rt, one.endedAt)));
      return {
        tasks: shown.filter(({ status }) => all || status !== "Completed"),
        terminals: root === undefined ? terminals.map((one) => terminalView(rt, one)) : [],
        lastEvent: rt.store.eventRange().newest,
      };
    },
    sessions: async () => {
      const sessions = await rt.terminals.sessions("local");
      return { sessions: sessions.map((session) => ({ ...session, ...owner(session.name) })) };
    },
    refresh: async ({ reason }) => {
      amounts.forget();
      rt.store.write((writer) => writer.append("tasks_changed", { reason }));
      return { told: true };
    },
    focus: async ({ id }) => {
      const found = resolve(rt, id);
      const known = found.kind === "task" ? String(found.task.id) : found.terminal.id;
      rt.store.write((writer) => writer.append("focus_changed", { id: known }));
      return { told: true };
    },
    explain: async ({ id }) => explain(rt, id),
    events: async ({ after, limit, types }) => {
      const wanted = types === undefined ? undefined : new Set(types.split(",").map(requireEventType));
      const { oldest, newest } = rt.store.eventRange();
      const page = rt.store.events(after, limit);
      const gap = after + 1 < oldest ? { type: "gap" as const, after, before: oldest - 1 } : undefined;
      return {
        events: page.filter(({ type }) => !wanted || wanted.has(type)),
        last: page.at(-1)?.seq ?? Math.min(after, newest),
        ...(gap ? { gap } : {}),
      };
    },
    wait: (input, { signal }) => wait(rt, input, signal),
    audit: async ({ limit }) => ({ entries: [...rt.store.audits(limit)] }),
  } satisfies Partial<Handlers>;
}

function requireEventType(type: string): EventType {
  const known = eventTypes.find((one) => one === type);
  if (known) return known;
  const hint = `there are ${eventTypes.join(", ")}`;
  throw new PanewardError("bad_input", `there is no event type ${type}`, { hint });
}

function isRecent(rt: Runtime, endedAt: number | undefined): boolean {
  return endedAt !== undefined && rt.clock.now() - endedAt < recentMs;
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

function owner(session: string): { readonly task?: number; readonly terminal?: string } {
  const parsed = parseSessionName(session);
  if (!parsed) return {};
  return "task" in parsed ? { task: parsed.task } : { terminal: parsed.terminal };
}
