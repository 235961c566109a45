import type { PanewardEvent } from "../events.ts";
import type { Agent, Question, Task, Terminal } from "../shapes.ts";

/** What a person looks at: everything there is, as of one event. Made by `snapshot`, moved on by `apply`. */
export interface View {
  readonly tasks: ReadonlyMap<number, Task>;
  /** Terminals of their own; a task's terminal is part of the task. */
  readonly terminals: ReadonlyMap<string, Terminal>;
  readonly agents: ReadonlyMap<string, Agent>;
  /** The questions that are open now. */
  readonly questions: ReadonlyMap<string, Question>;
  /** What is being made ready for a task that starts: the newest line. */
  readonly progress: ReadonlyMap<number, string>;
  readonly lastEvent: number;
  readonly connection: Connection;
  /** Set when the daemon must be asked again, because events alone do not tell everything. */
  readonly stale: Stale | undefined;
  /** The newest events, so that a list which was made a moment before them can be brought up to date. */
  readonly recent: readonly PanewardEvent[];
}

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "lost"; readonly reason: string; readonly since: number };

/** `now`: something is missing or wrong. `soon`: something that no event tells, such as changed lines, may be old. */
export interface Stale {
  readonly when: "now" | "soon";
  readonly reason: string;
}

export const emptyView: View = {
  tasks: new Map(),
  terminals: new Map(),
  agents: new Map(),
  questions: new Map(),
  progress: new Map(),
  lastEvent: 0,
  connection: { kind: "connecting" },
  stale: { when: "now", reason: "nothing was asked yet" },
  recent: [],
};

export function withStale(view: View, when: Stale["when"], reason: string): View {
  return view.stale?.when === "now" ? view : { ...view, stale: { when, reason } };
}

export function withConnection(view: View, connection: Connection): View {
  return { ...view, connection };
}

export function changed<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  change: (value: Value) => Value,
): ReadonlyMap<Key, Value> {
  const value = map.get(key);
  return value === undefined ? map : new Map(map).set(key, change(value));
}

export function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
