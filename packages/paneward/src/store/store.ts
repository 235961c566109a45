import { type EventData, type EventType, PanewardError, type PanewardEvent, type Question } from "@paneward/sdk";
import { callEach } from "../model/call-each.ts";
import { cutTexts } from "../model/cut-texts.ts";
import type { NoticeRecord } from "../model/notify/notice.ts";
import type {
  AgentRecord,
  AuditRecord,
  DeliveryRecord,
  LoginRecord,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  TrustRecord,
  UndoRecord,
} from "../model/records.ts";
import type { Room, Store, WallClock, Writer } from "../runtime/ports.ts";
import { backUp, backupsOf } from "./backups.ts";
import { type Database, type DatabaseLimits, openDatabase } from "./database.ts";
import { eventRange, maxEventBytes, maxEventText, readEvents, trimEvents } from "./events.ts";
import { planMend } from "./mend.ts";
import { createRecords, type Records } from "./records.ts";
import { createTeamStore, createTeamWriter } from "./team-store.ts";
import { createTurns } from "./turns.ts";
import { createWorkspaceStore } from "./workspace-store.ts";

interface Row {
  readonly record: string;
}

/** All persistent state, in one SQLite file. The daemon is its only writer. */
export function openStore(path: string, clock: WallClock, limits: DatabaseLimits = {}): Store {
  const database = openDatabase(path, limits);
  const kept: Kept = {
    terminals: createRecords(database, "terminals"),
    tasks: createRecords(database, "tasks"),
    agents: createRecords(database, "agents"),
    questions: createRecords(database, "questions"),
    notices: createRecords(database, "notices"),
  };
  let range: ReturnType<Store["eventRange"]> | undefined;
  const forget = () => {
    for (const records of Object.values(kept)) records.forget();
    range = undefined;
  };
  const { found: unreadable, statements } = planMend((sql) => database.all(sql), clock.now());
  if (statements.length > 0) {
    database.keep(() => {
      for (const { sql, values } of statements) database.run(sql, ...values);
    });
  }
  let untrimmed = 0;
  const maxBytes = limits.maxEventBytes ?? maxEventBytes;
  const trim = (keep: number) => {
    range = undefined;
    untrimmed = 0;
    return trimEvents(database, keep, maxBytes);
  };
  // What was just written stays so if there is no room to trim; maintenance trims later, and reports.
  const trimNow = () => {
    try {
      trim(Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof PanewardError)) throw error;
    }
  };
  const listeners = new Set<(events: readonly PanewardEvent[]) => void>();
  const counter = (name: string) =>
    database.get<{ value: number }>("SELECT value FROM counters WHERE name = ?", name)?.value ?? 0;
  database.keep(() =>
    database.run("INSERT INTO counters (name, value) VALUES ('began', ?) ON CONFLICT (name) DO NOTHING", clock.now()),
  );
  const roomListeners = new Set<(room: Room) => void>();
  let wasFull = false;
  const reportRoom = <Result>(work: () => Result): Result => {
    try {
      return work();
    } finally {
      const { room } = database;
      const isFull = room.full !== undefined;
      if (isFull !== wasFull) {
        wasFull = isFull;
        for (const listener of roomListeners) listener(room);
      }
    }
  };
  const transact = <Result>(work: (writer: Writer) => Result, how: Database["write"]): Result =>
    reportRoom(() => {
      const appended: PanewardEvent[] = [];
      const writer = createWriter(database, kept, clock, (event, characters) => {
        appended.push(event);
        untrimmed += characters;
      });
      const result = forgetOnError(forget, () => how(() => work(writer)));
      range = undefined;
      if (untrimmed > maxBytes / 8) trimNow();
      if (appended.length > 0) callEach(listeners, appended);
      return result;
    });
  const record = <Kept>(row: Row | undefined) => (row ? (JSON.parse(row.record) as Kept) : undefined);
  const records = <Kept>(sql: string) => database.all<Row>(sql).map((row) => JSON.parse(row.record) as Kept);
  return {
    write: (work) => transact(work, database.write),
    keep: (work) => transact(work, database.keep),
    flush: () => reportRoom(() => database.flush()),
    room: () => database.room,
    onRoom(listener) {
      roomListeners.add(listener);
      return () => roomListeners.delete(listener);
    },
    settled: () => database.settled(),
    erase: () => database.erase(),
    isInPlace: () => database.isInPlace(),
    damage: () => database.damage(),
    unreadable,
    setAside: () => database.get<{ readonly count: number }>("SELECT count(*) AS count FROM set_aside")?.count ?? 0,
    putBack: () => database.putBack(clock.now()),
    backups: () => backupsOf(path),
    backUp: () => backUp(path),
    began: () => ({ began: counter("began"), repaired: counter("repaired") }),
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    events: (after, limit) => readEvents(database, after, limit),
    eventRange() {
      range ??= eventRange(database);
      return range;
    },
    trimEvents: trim,
    trimAudit: (keep) =>
      database.write(() => database.run("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?", keep)),
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
    notices: kept.notices.all,
    notice: kept.notices.get,
    notified: () => database.get<{ value: number }>("SELECT value FROM counters WHERE name = 'notified'")?.value,
    turns: createTurns(database).of,
    deliveryById: (id) => record<DeliveryRecord>(database.get("SELECT record FROM deliveries WHERE id = ?", id)),
    unfinishedDeliveries: () => records<DeliveryRecord>(unfinishedSql),
    tokens: () => records<TokenRecord>("SELECT record FROM tokens ORDER BY id"),
    logins: () => records<LoginRecord>("SELECT record FROM logins ORDER BY id"),
    trusted: () => records<TrustRecord>("SELECT record FROM trusted ORDER BY repository"),
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
  readonly notices: Records<NoticeRecord>;
}

function forgetOnError<Result>(forget: () => void, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // What cannot be read again is not forgotten.
    if (!(error instanceof PanewardError && error.code === "storage_damaged")) forget();
    throw error;
  }
}

function createWriter(
  database: Database,
  kept: Kept,
  clock: WallClock,
  onAppended: (event: PanewardEvent, characters: number) => void,
): Writer {
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
      const whole = JSON.stringify(data);
      const isLong = whole.length > maxEventText;
      const shown = isLong ? cutTexts(data, maxEventText) : data;
      const text = isLong ? JSON.stringify(shown) : whole;
      const event = { seq: next("event"), at: clock.now(), type, data: shown } as PanewardEvent;
      const { seq, at } = event;
      database.run("INSERT INTO events (seq, at, type, data) VALUES (?, ?, ?, ?)", seq, at, type, text);
      onAppended(event, text.length);
    },
    reserve: (kind, number) =>
      database.run(
        "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
        kind,
        number,
      ),
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
    nextNoticeId: () => `n${next("notice")}`,
    putNotice: kept.notices.put,
    removeNotice: kept.notices.remove,
    notified: (seq) => {
      if (seq === undefined) return database.run("DELETE FROM counters WHERE name = 'notified'");
      const put =
        "INSERT INTO counters (name, value) VALUES ('notified', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
      database.run(put, seq);
    },
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
    putTrust: (record) =>
      database.run(
        "INSERT INTO trusted (repository, record) VALUES (?, ?) ON CONFLICT (repository) DO UPDATE SET record = excluded.record",
        record.repository,
        JSON.stringify(record),
      ),
    removeTrust: (repository) => database.run("DELETE FROM trusted WHERE repository = ?", repository),
    putUndo: (record) => database.run("INSERT INTO undos (record) VALUES (?)", JSON.stringify(record)),
    removeUndo: (id) => database.run("DELETE FROM undos WHERE id = ?", id),
    audit: (record) => database.run("INSERT INTO audit (at, record) VALUES (?, ?)", record.at, JSON.stringify(record)),
    team: createTeamWriter(database, clock, next),
  };
}
