import type { EventData, EventType, PanewardEvent, Question } from "@paneward/sdk";
import type {
  AgentRecord,
  AuditRecord,
  DeliveryRecord,
  LoginRecord,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  UndoRecord,
} from "../model/records.ts";
import type { Store, WallClock, Writer } from "../runtime/ports.ts";
import { type Database, type DatabaseLimits, openDatabase } from "./database.ts";
import { createRecords, type Records } from "./records.ts";

import { createTeamStore, createTeamWriter } from "./team-store.ts";

import { createTurns } from "./turns.ts";

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

/** All persistent state, in one SQLite file. The daemon is its only writer. */
export function openStore(path: string, clock: WallClock, limits: DatabaseLimits = {}): Store {
  const database = openDatabase(path, limits);
  const kept: Kept = {
    terminals: createRecords(database, "terminals"),
    tasks: createRecords(database, "tasks"),
    agents: createRecords(database, "agents"),
    questions: createRecords(database, "questions"),
  };
  let range: ReturnType<Store["eventRange"]> | undefined;
  const forget = () => {
    for (const records of Object.values(kept)) records.forget();
    range = undefined;
  };
  const listeners = new Set<(events: readonly PanewardEvent[]) => void>();
  const record = <Kept>(row: Row | undefined) => (row ? (JSON.parse(row.record) as Kept) : undefined);
  const records = <Kept>(sql: string) => database.all<Row>(sql).map((row) => JSON.parse(row.record) as Kept);
  return {
    write(work) {
      const appended: PanewardEvent[] = [];
      const writer = createWriter(database, kept, clock, appended);
      const result = forgetOnError(forget, () => database.transact(() => work(writer)));
      range = undefined;
      if (appended.length > 0) for (const listener of listeners) listener(appended);
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
    eventRange() {
      range ??= eventRange(database);
      return range;
    },
    trimEvents(keep) {
      range = undefined;
      return trimEvents(database, keep);
    },
    trimAudit: (keep) =>
      database.transact(() => database.run("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?", keep)),
    terminals: kept.terminals.all,
    terminal: kept.terminals.get,
    tasks: kept.tasks.all,
    task: kept.tasks.get,
    delivery: (terminal, key) =>
      record<DeliveryRecord>(
        database.get("SELECT record FROM deliveries WHERE terminal = ? AND key = ?", terminal, key),
      ),
    deliveries: (terminal, limit) =>
      database
        .all<Row>(
          "SELECT record FROM deliveries WHERE terminal = ? ORDER BY record ->> '$.createdAt' DESC LIMIT ?",
          terminal,
          limit,
        )
        .map((row) => JSON.parse(row.record) as DeliveryRecord)
        .reverse(),
    agents: kept.agents.all,
    agent: kept.agents.get,
    questions: kept.questions.all,
    question: kept.questions.get,
    turns: createTurns(database).of,
    deliveryById: (id) => record<DeliveryRecord>(database.get("SELECT record FROM deliveries WHERE id = ?", id)),
    unfinishedDeliveries: () => records<DeliveryRecord>(unfinishedSql),
    tokens: () => records<TokenRecord>("SELECT record FROM tokens ORDER BY id"),
    logins: () => records<LoginRecord>("SELECT record FROM logins ORDER BY id"),
    undos: () =>
      database
        .all<Row & { readonly id: number }>("SELECT id, record FROM undos ORDER BY id")
        .map((row) => ({ ...(JSON.parse(row.record) as UndoRecord), id: row.id })),
    audits: (limit) =>
      database
        .all<Row>("SELECT record FROM audit ORDER BY id DESC LIMIT ?", limit)
        .map((row) => JSON.parse(row.record) as AuditRecord),
    workspaces: createWorkspaceStore(database, clock),
    team: createTeamStore(database, clock),
    close: () => database.close(),
  };
}

/** Runs with every delivery. SQLite uses the index only if the expression is identical to the index's. */
export const unfinishedSql =
  "SELECT record FROM deliveries WHERE record ->> '$.unfinished' = 1 ORDER BY record ->> '$.number'";

interface Kept {
  readonly terminals: Records<TerminalRecord>;
  readonly tasks: Records<TaskRecord>;
  readonly agents: Records<AgentRecord>;
  readonly questions: Records<Question>;
}

function forgetOnError<Result>(forget: () => void, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    forget();
    throw error;
  }
}

function createWriter(database: Database, kept: Kept, clock: WallClock, appended: PanewardEvent[]): Writer {
  const next = (name: string) => {
    database.run(
      "INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
      name,
    );
    return database.get<{ value: number }>("SELECT value FROM counters WHERE name = ?", name)?.value ?? 0;
  };
  const turns = createTurns(database);
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
      appended.push(event);
    },
    nextTerminalId: () => `t${next("terminal")}`,
    nextTaskId: () => next("task"),
    putTerminal: kept.terminals.put,
    removeTerminal: (id) => {
      kept.terminals.remove(id);
      database.run("DELETE FROM deliveries WHERE terminal = ?", id);
    },
    putTask: kept.tasks.put,
    removeTask: kept.tasks.remove,
    nextAgentId: () => `a${next("agent")}`,
    putAgent: kept.agents.put,
    removeAgent: (id) => {
      kept.agents.remove(id);
      turns.remove(id);
    },
    nextQuestionId: () => `q${next("question")}`,
    putQuestion: kept.questions.put,
    removeQuestion: kept.questions.remove,
    nextTurnId: () => `u${next("turn")}`,
    putTurn: turns.put,
    putDelivery: (record) =>
      database.run(
        "INSERT INTO deliveries (id, terminal, key, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        record.id,
        record.terminal,
        record.key ?? null,
        JSON.stringify(record),
      ),
    putToken: (record) =>
      database.run(
        "INSERT INTO tokens (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        record.id,
        JSON.stringify(record),
      ),
    removeToken: (id) => database.run("DELETE FROM tokens WHERE id = ?", id),
    putLogin: (record) =>
      database.run(
        "INSERT INTO logins (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        record.id,
        JSON.stringify(record),
      ),
    removeLogin: (id) => database.run("DELETE FROM logins WHERE id = ?", id),
    putUndo: (record) => database.run("INSERT INTO undos (record) VALUES (?)", JSON.stringify(record)),
    removeUndo: (id) => database.run("DELETE FROM undos WHERE id = ?", id),
    audit: (record) => database.run("INSERT INTO audit (at, record) VALUES (?, ?)", record.at, JSON.stringify(record)),
    team: createTeamWriter(database, clock, next),
  };
}

// The newest number comes from the counter, not the table: trimming all events must not restart the numbering.
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
