import type { ScreenPrompt, Snapshot, TaskSnapshot } from "./snapshot.ts";

export type TaskEvent = {
  readonly windowId: string;
  readonly windowName: string;
} & (
  | { readonly kind: "started" }
  | {
      readonly kind: "exited";
      readonly exitCode?: number;
      readonly exitSignal?: number;
      readonly outputPreview?: string;
    }
  | { readonly kind: "notify"; readonly outputPreview?: string }
  | { readonly kind: "input"; readonly prompt: string }
  | { readonly kind: "disappeared"; readonly reason?: "user-killed" }
);

/** The state known from all looks so far; stored in a file, so that the next pi continues from it. */
export interface Known {
  readonly server?: string;
  readonly tasks: readonly KnownTask[];
}

export interface KnownTask extends TaskSnapshot {
  readonly asked?: ScreenPrompt & { readonly since: number; readonly told: boolean };
}

export const nothingKnown: Known = { tasks: [] };

/** Compares a look with the known state. Each change of a task is reported once. */
export function observe(
  known: Known,
  now: Snapshot,
  killedByUser: ReadonlySet<string> = new Set(),
): { readonly known: Known; readonly events: readonly TaskEvent[] } {
  // Another server reuses the same window ids.
  const replaced = now.server !== undefined && known.server !== undefined && now.server !== known.server;
  const before = new Map(known.tasks.map((task) => [task.windowId, task]));
  const observed = now.tasks.map((task) => observeTask(replaced ? undefined : before.get(task.windowId), task, now.at));
  const present = new Set(replaced ? [] : now.tasks.map(({ windowId }) => windowId));
  const gone = known.tasks
    .filter(({ windowId, dead }) => !dead && !present.has(windowId))
    .map((task): TaskEvent => {
      const byUser = killedByUser.has(task.windowId);
      return { kind: "disappeared", ...nameOf(task), ...(byUser ? { reason: "user-killed" } : {}) };
    });
  return {
    known: { ...(now.server === undefined ? {} : { server: now.server }), tasks: observed.map(({ task }) => task) },
    events: [...observed.flatMap(({ events }) => events), ...gone],
  };
}

/** Records a task that was just started, before any look: it may be gone before one sees it. */
export function expect(known: Known, started: Pick<TaskSnapshot, "windowId" | "windowName" | "taskCwd">): Known {
  if (known.tasks.some(({ windowId }) => windowId === started.windowId)) return known;
  return { ...known, tasks: [...known.tasks, { ...started, paneStateKnown: false, dead: false, bell: false }] };
}

function observeTask(
  before: KnownTask | undefined,
  task: TaskSnapshot,
  at: number,
): { readonly task: KnownTask; readonly events: readonly TaskEvent[] } {
  const asked = askedNow(before, task, at);
  const isStable = asked !== undefined && !asked.told && asked.since + questionStableMs <= at;
  const known: KnownTask = asked ? { ...task, asked: isStable ? { ...asked, told: true } : asked } : task;
  const preview = task.outputPreview === undefined ? {} : { outputPreview: task.outputPreview };
  const events: TaskEvent[] = [];
  if (!before && !task.dead) events.push({ kind: "started", ...nameOf(task) });
  if (rang(before, task)) events.push({ kind: "notify", ...nameOf(task), ...preview });
  // By pid: a task restarted and ended between two looks was dead before and is dead now.
  if (task.dead && !(before?.dead && before.pid === task.pid)) {
    events.push({ kind: "exited", ...nameOf(task), ...exitOf(task), ...preview });
  }
  if (isStable) events.push({ kind: "input", ...nameOf(task), prompt: asked.text });
  return { task: known, events };
}

function rang(before: KnownTask | undefined, task: TaskSnapshot): boolean {
  if (task.bellCount !== undefined) return task.bellCount > (before?.bellCount ?? 0);
  return task.bell && !before?.bell;
}

function askedNow(before: KnownTask | undefined, task: TaskSnapshot, at: number): KnownTask["asked"] {
  const { prompt } = task;
  if (!prompt || task.dead || !task.paneStateKnown) return undefined;
  const last = before && before.pid === task.pid ? before.asked : undefined;
  const same = last?.text === prompt.text && (last.row === prompt.row || last.size !== prompt.size);
  return same ? { ...prompt, since: last.since, told: last.told } : { ...prompt, since: at, told: false };
}

/** A question is reported when a second look, at least this much later, finds it unchanged. */
export const questionStableMs = 150;

function nameOf({ windowId, windowName }: TaskSnapshot): Pick<TaskSnapshot, "windowId" | "windowName"> {
  return { windowId, windowName };
}

function exitOf({ exitCode, exitSignal }: TaskSnapshot): { exitCode?: number; exitSignal?: number } {
  return { ...(exitCode === undefined ? {} : { exitCode }), ...(exitSignal === undefined ? {} : { exitSignal }) };
}
