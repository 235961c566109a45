import type { PanewardEvent } from "../events.ts";
import type { Agent, Question, Task, Terminal } from "../shapes.ts";

/** The last line on a screen, for interfaces that ask for it beside the list. */
export interface LastLine {
  readonly lastLine?: string;
}

/** Everything a person sees, as of one event. Created by `snapshot`, updated by `apply`. */
export interface View {
  readonly tasks: ReadonlyMap<number, Task & LastLine>;
  /** Plain terminals; a task's terminal is part of the task. */
  readonly terminals: ReadonlyMap<string, Terminal & LastLine>;
  readonly agents: ReadonlyMap<string, Agent>;
  /** The open questions. */
  readonly questions: ReadonlyMap<string, Question>;
  /** The newest progress line of each task that is starting. */
  readonly progress: ReadonlyMap<number, string>;
  readonly lastEvent: number;
  /** How many lost programs can be started again, if a person is to be asked. */
  readonly restore: { readonly can: number; readonly cannot: number } | undefined;
  readonly connection: Connection;
  /** Set when the daemon must be queried again, because events do not carry everything. */
  readonly stale: Stale | undefined;
  /** The newest events, to bring a slightly older list up to date. */
  readonly recent: readonly PanewardEvent[];
}

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "lost"; readonly reason: string; readonly since: number };

/** `now`: something is missing or wrong. `soon`: data that no event carries, such as changed lines, may be old. */
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
  restore: undefined,
  connection: { kind: "connecting" },
  stale: { when: "now", reason: "not loaded yet" },
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
