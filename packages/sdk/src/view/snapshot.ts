import type { PanewardEvent } from "../events.ts";
import type { Agent, Question, Task, Terminal } from "../shapes.ts";
import { apply } from "./apply.ts";
import { type LastLine, type View, withStale } from "./view.ts";

/** The daemon's answers to `ps`, and then to `agents` and `questions`: those must not be older than the list. */
export interface Lists {
  readonly tasks: readonly (Task & LastLine)[];
  readonly terminals: readonly (Terminal & LastLine)[];
  /** The newest event reflected in `tasks` and `terminals`. */
  readonly lastEvent: number;
  readonly restore?: View["restore"];
  readonly agents: readonly Agent[];
  readonly questions: readonly Question[];
}

/**
 * The view as the daemon lists it. Events that arrived while the lists were in transit are applied again, so a slow
 * answer undoes nothing.
 */
export function snapshot(view: View, lists: Lists): View {
  const later = view.recent.filter(({ seq }) => seq > lists.lastEvent);
  const tasks = new Map(lists.tasks.map((task) => [task.id, task]));
  const listed: View = {
    tasks,
    terminals: new Map(lists.terminals.map((terminal) => [terminal.id, terminal])),
    agents: new Map(lists.agents.map((agent) => [agent.id, agent])),
    questions: new Map(lists.questions.map((question) => [question.id, question])),
    progress: new Map([...view.progress].filter(([task]) => mayBeStarting(tasks.get(task)))),
    lastEvent: lists.lastEvent,
    restore: lists.restore,
    connection: view.connection,
    stale: undefined,
    recent: view.recent.filter(({ seq }) => seq <= lists.lastEvent),
  };
  if (view.lastEvent <= lists.lastEvent) return listed;
  const next = later.reduce<View>((before, event) => apply(before, event), listed);
  return reaches(view, lists.lastEvent, later) ? next : missed(next, view.lastEvent);
}

function mayBeStarting(task: Task | undefined): boolean {
  return task?.status === "Draft" || task?.status === "Stopped";
}

function reaches(view: View, from: number, later: readonly PanewardEvent[]): boolean {
  return later.length === view.lastEvent - from;
}

function missed(view: View, lastEvent: number): View {
  return withStale({ ...view, lastEvent: Math.max(view.lastEvent, lastEvent) }, "now", "the list was too old");
}
