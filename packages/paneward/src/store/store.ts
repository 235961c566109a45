import type { EventData, EventType, PanewardEvent } from "@paneward/sdk";
import type {
  AuditRecord,
  DeliveryRecord,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  UndoRecord,
} from "../model/records.ts";
import type { Clock, Store, Writer } from "../runtime/ports.ts";
import { type Database, type DatabaseLimits, openDatabase } from "./database.ts";
import { createWorkspaceStore } from "./workspace-store.ts";

interface Row {
  readonly record: string;
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: EventType;
  readonly data: string;
}

/** Everything that must survive, in one SQLite file. The daemon is its only writer. */
export function openStore(path: string, clock: Clock, limits: DatabaseLimits = {}): Store {
  const database = openDatabase(path, limits);
  const listeners = new Set<(events: readonly PanewardEvent[]) => void>();
  const record = <Kept>(row: Row | undefined) => (row ? (JSON.parse(row.record) as Kept) : undefined);
  const records = <Kept>(sql: string) => database.all<Row>(sql).map((row) => JSON.parse(row.record) as Kept);
  return {
    write(work) {
      const told: PanewardEvent[] = [];
      const result = database.transact(() => work(createWriter(database, clock, told)));
      if (told.length > 0) for (const listener of listeners) listener(told);
      return result;
    },
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    events: (after, limit) =>
      database
        .all<EventRow>("SELECT seq, at, type, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?", after, limit)
        .map(eventOf),
    eventRange: () => eventRange(database),
    trimEvents: (keep) => trimEvents(database, keep),
    terminals: () => records<TerminalRecord>("SELECT record FROM terminals ORDER BY CAST(substr(id, 2) AS INTEGER)"),
    terminal: (id) => record<TerminalRecord>(database.get("SELECT record FROM terminals WHERE id = ?", id)),
    tasks: () => records<TaskRecord>("SELECT record FROM tasks ORDER BY id"),
    task: (id) => record<TaskRecord>(database.get("SELECT record FROM tasks WHERE id = ?", id)),
    delivery: (terminal, key) =>
      record<DeliveryRecord>(
        database.get("SELECT record FROM deliveries WHERE terminal = ? AND key = ?", terminal, key),
      ),
    unfinishedDeliveries: () =>
      records<DeliveryRecord>(
        "SELECT record FROM deliveries WHERE record ->> '$.state' IN ('queued', 'held', 'typed')",
      ),
    tokens: () => records<TokenRecord>("SELECT record FROM tokens ORDER BY id"),
    undos: () =>
      database
        .all<Row & { readonly id: number }>("SELECT id, record FROM undos ORDER BY id")
        .map((row) => ({ ...(JSON.parse(row.record) as UndoRecord), id: row.id })),
    audits: (limit) =>
      database
        .all<Row>("SELECT record FROM audit ORDER BY id DESC LIMIT ?", limit)
        .map((row) => JSON.parse(row.record) as AuditRecord),
    workspaces: createWorkspaceStore(database, clock),
    close: () => database.close(),
  };
}

function createWriter(database: Database, clock: Clock, told: PanewardEvent[]): Writer {
  const put = (table: string, id: string | number, record: object) =>
    database.run(
      `INSERT INTO ${table} (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
      id,
      JSON.stringify(record),
    );
  const next = (name: string) => {
    database.run(
      "INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
      name,
    );
    return database.get<{ value: number }>("SELECT value FROM counters WHERE name = ?", name)?.value ?? 0;
  };
  return {
    append<Type extends EventType>(type: Type, data: EventData[Type]) {
      const event = { seq: next("event"), at: clock.now(), type, data } as PanewardEvent;
      database.run(
        "INSERT INTO events (seq, at, type, data) VALUES (?, ?, ?, ?)",
        event.seq,
        event.at,
        type,
        JSON.stringify(data),
      );
      told.push(event);
    },
    nextTerminalId: () => `t${next("terminal")}`,
    nextTaskId: () => next("task"),
    putTerminal: (record) => put("terminals", record.id, record),
    removeTerminal: (id) => {
      database.run("DELETE FROM terminals WHERE id = ?", id);
      database.run("DELETE FROM deliveries WHERE terminal = ?", id);
    },
    putTask: (record) => put("tasks", record.id, record),
    removeTask: (id) => database.run("DELETE FROM tasks WHERE id = ?", id),
    putDelivery: (record) =>
      database.run(
        "INSERT INTO deliveries (id, terminal, key, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        record.id,
        record.terminal,
        record.key ?? null,
        JSON.stringify(record),
      ),
    putToken: (record) => put("tokens", record.id, record),
    removeToken: (id) => database.run("DELETE FROM tokens WHERE id = ?", id),
    putUndo: (record) => database.run("INSERT INTO undos (record) VALUES (?)", JSON.stringify(record)),
    removeUndo: (id) => database.run("DELETE FROM undos WHERE id = ?", id),
    audit: (record) => database.run("INSERT INTO audit (at, record) VALUES (?, ?)", record.at, JSON.stringify(record)),
  };
}

// The counter, not the table, knows the newest number: trimming everything must not start the numbers again.
function eventRange(database: Database): { readonly oldest: number; readonly newest: number } {
  const newest = database.get<{ value: number }>("SELECT value FROM counters WHERE name = 'event'")?.value ?? 0;
  const oldest = database.get<{ seq: number | null }>("SELECT min(seq) AS seq FROM events")?.seq ?? newest + 1;
  return { oldest, newest };
}

function trimEvents(database: Database, keep: number): number {
  const { oldest, newest } = eventRange(database);
  const last = newest - keep;
  if (last < oldest) return 0;
  database.transact(() => database.run("DELETE FROM events WHERE seq <= ?", last));
  return last - oldest + 1;
}

function eventOf({ seq, at, type, data }: EventRow): PanewardEvent {
  return { seq, at, type, data: JSON.parse(data) } as PanewardEvent;
}
