import type { TurnRecord } from "../model/records.ts";
import type { Database } from "./database.ts";

/** The turns of agents' conversations. */
export function createTurns(database: Database) {
  return {
    /** The last turns of an agent, newest last. */
    of: (agent: string, limit: number): readonly TurnRecord[] =>
      database
        .all<{ readonly record: string }>(
          "SELECT record FROM turns WHERE agent = ? ORDER BY number DESC LIMIT ?",
          agent,
          limit,
        )
        .map((row) => JSON.parse(row.record) as TurnRecord)
        .reverse(),
    put: (turn: TurnRecord) =>
      database.run(
        "INSERT INTO turns (number, agent, record) VALUES (?, ?, ?) ON CONFLICT (number) DO UPDATE SET record = excluded.record",
        Number(turn.id.slice(1)),
        turn.agent,
        JSON.stringify(turn),
      ),
    remove: (agent: string) => database.run("DELETE FROM turns WHERE agent = ?", agent),
  };
}
