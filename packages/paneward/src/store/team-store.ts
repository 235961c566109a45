import {
  type InboxEvent,
  type Team,
  type TeamTask,
  type Thread,
  type ThreadMessage,
  teamSchemaVersion,
} from "@paneward/sdk";
import type { WorkerRecord } from "../model/team/worker.ts";
import type { KeptAnswer, TeamStore, TeamWriter, WallClock } from "../runtime/ports.ts";
import type { Database } from "./database.ts";

interface Row {
  readonly record: string;
}

/** Teams, boards, threads and inboxes. Responses for repeated calls are kept for a week. */
export function createTeamStore(database: Database, clock: WallClock): TeamStore {
  database.keep(() => database.run("DELETE FROM team_answers WHERE at < ?", clock.now() - keepAnswersMs));
  const one = <Kept>(sql: string, ...values: readonly (string | number)[]) => {
    const row = database.get<Row>(sql, ...values);
    return row && (JSON.parse(row.record) as Kept);
  };
  const all = <Kept>(sql: string, ...values: readonly (string | number)[]) =>
    database.all<Row>(sql, ...values).map((row) => JSON.parse(row.record) as Kept);
  return {
    teams: () => all<Team>("SELECT record FROM teams ORDER BY id"),
    team: (id) => one<Team>("SELECT record FROM teams WHERE id = ?", id),
    tasks: (team) => all<TeamTask>("SELECT record FROM team_tasks WHERE team = ? ORDER BY length(id), id", team),
    task: (id) => one<TeamTask>("SELECT record FROM team_tasks WHERE id = ?", id),
    threads: () =>
      all<Thread>(
        "SELECT record FROM team_threads ORDER BY coalesce(record ->> '$.lastMessageAt', record ->> '$.createdAt') DESC, id DESC",
      ),
    thread: (id) => one<Thread>("SELECT record FROM team_threads WHERE id = ?", id),
    messages: (thread, limit) =>
      all<ThreadMessage>("SELECT record FROM team_messages WHERE thread = ? ORDER BY seq DESC LIMIT ?", thread, limit)
        .slice()
        .reverse(),
    threadsSaying: (text) =>
      new Set(
        database
          .all<{ thread: string }>(
            "SELECT DISTINCT thread FROM team_messages WHERE instr(lower(record ->> '$.body'), lower(?)) > 0",
            text,
          )
          .map(({ thread }) => thread),
      ),
    inbox: (team, agent, after, limit) =>
      all<InboxEvent>(
        "SELECT record FROM team_inbox WHERE team = ? AND agent = ? AND cursor > ? ORDER BY cursor LIMIT ?",
        team,
        agent,
        after,
        limit,
      ),
    seen: (team, agent) =>
      database.get<{ cursor: number }>("SELECT cursor FROM team_seen WHERE team = ? AND agent = ?", team, agent)
        ?.cursor ?? 0,
    workers: (team) =>
      team === undefined
        ? all<WorkerRecord>("SELECT record FROM team_workers ORDER BY team, session")
        : all<WorkerRecord>("SELECT record FROM team_workers WHERE team = ? ORDER BY session", team),
    worker: (team, session) =>
      one<WorkerRecord>("SELECT record FROM team_workers WHERE team = ? AND session = ?", team, session),
    answer: (team, key) => one<KeptAnswer>("SELECT record FROM team_answers WHERE team = ? AND key = ?", team, key),
  };
}

export function createTeamWriter(database: Database, clock: WallClock, next: (name: string) => number): TeamWriter {
  const put = (table: "teams" | "team_tasks" | "team_threads", id: string, team: string, record: object) => {
    const text = JSON.stringify(record);
    const change = "ON CONFLICT (id) DO UPDATE SET record = excluded.record";
    if (table === "teams") database.run(`INSERT INTO teams (id, record) VALUES (?, ?) ${change}`, id, text);
    else database.run(`INSERT INTO ${table} (id, team, record) VALUES (?, ?, ?) ${change}`, id, team, text);
  };
  return {
    nextTaskId: () => `task-${padded(next("team_task"), 4)}`,
    nextThreadId: () => `thread-${padded(next("team_thread"), 4)}`,
    putTeam: (team) => put("teams", team.teamId, team.teamId, team),
    putTask: (task) => put("team_tasks", task.id, task.teamId, task),
    putThread: (thread) => put("team_threads", thread.id, thread.teamId, thread),
    addMessage: (message) =>
      database.run(
        "INSERT INTO team_messages (thread, record) VALUES (?, ?)",
        message.threadId,
        JSON.stringify(message),
      ),
    addInboxEvent: (added) => {
      const { teamId, agentId } = added;
      const cursor = next(`inbox/${teamId}/${agentId}`);
      const ts = new Date(clock.now()).toISOString();
      const event: InboxEvent = {
        schemaVersion: teamSchemaVersion,
        id: `inbox-${padded(cursor, 8)}`,
        cursor,
        ...added,
        ts,
      };
      database.run(
        "INSERT INTO team_inbox (team, agent, cursor, record) VALUES (?, ?, ?, ?)",
        teamId,
        agentId,
        cursor,
        JSON.stringify(event),
      );
      database.run(
        "DELETE FROM team_inbox WHERE team = ? AND agent = ? AND cursor <= ?",
        teamId,
        agentId,
        cursor - keepEvents,
      );
    },
    putSeen: (team, agent, cursor) =>
      database.run(
        "INSERT INTO team_seen (team, agent, cursor) VALUES (?, ?, ?) ON CONFLICT (team, agent) DO UPDATE SET cursor = max(cursor, excluded.cursor)",
        team,
        agent,
        cursor,
      ),
    putWorker: (worker) =>
      database.run(
        "INSERT INTO team_workers (team, session, record) VALUES (?, ?, ?) ON CONFLICT (team, session) DO UPDATE SET record = excluded.record",
        worker.teamId,
        worker.session,
        JSON.stringify(worker),
      ),
    keepAnswer: (team, key, answer) =>
      database.run(
        "INSERT INTO team_answers (team, key, at, record) VALUES (?, ?, ?, ?) ON CONFLICT (team, key) DO NOTHING",
        team,
        key,
        clock.now(),
        JSON.stringify(answer),
      ),
  };
}

const keepAnswersMs = 7 * 24 * 3_600_000;
const keepEvents = 10_000;

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}
