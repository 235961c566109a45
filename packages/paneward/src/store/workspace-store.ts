import type { WallClock, WorkspaceStore } from "../runtime/ports.ts";
import type { Database } from "./database.ts";

/** Read positions, layouts and snapshots of workspaces. Positions unused for a month are dropped. */
export function createWorkspaceStore(database: Database, clock: WallClock): WorkspaceStore {
  database.keep(() => database.run("DELETE FROM read_positions WHERE at < ?", clock.now() - keepMs));
  return {
    position: (journal, caller) =>
      database.get<{ cursor: string }>(
        "SELECT cursor FROM read_positions WHERE journal = ? AND caller = ?",
        journal,
        caller,
      )?.cursor,
    putPosition: (journal, caller, cursor) =>
      database.keep(() =>
        database.run(
          "INSERT INTO read_positions (journal, caller, cursor, at) VALUES (?, ?, ?, ?) ON CONFLICT (journal, caller) DO UPDATE SET cursor = excluded.cursor, at = excluded.at",
          journal,
          caller,
          cursor,
          clock.now(),
        ),
      ),
    forgetPositions: (journal) =>
      database.keep(() => database.run("DELETE FROM read_positions WHERE journal = ?", journal)),
    kept: <Kept>(kind: string, place: string, name: string) => {
      const row = database.get<{ record: string }>(
        "SELECT record FROM kept_arrangements WHERE kind = ? AND place = ? AND name = ?",
        kind,
        place,
        name,
      );
      return row && (JSON.parse(row.record) as Kept);
    },
    keptNames: (kind, place) =>
      database
        .all<{ name: string }>(
          "SELECT name FROM kept_arrangements WHERE kind = ? AND place = ? ORDER BY name",
          kind,
          place,
        )
        .map(({ name }) => name),
    keep: (kind, place, name, record) =>
      database.write(() =>
        database.run(
          "INSERT INTO kept_arrangements (kind, place, name, record) VALUES (?, ?, ?, ?) ON CONFLICT (kind, place, name) DO UPDATE SET record = excluded.record",
          kind,
          place,
          name,
          JSON.stringify(record),
        ),
      ),
    drop: (kind, place, name) =>
      database.keep(() =>
        database.run("DELETE FROM kept_arrangements WHERE kind = ? AND place = ? AND name = ?", kind, place, name),
      ),
  };
}

const keepMs = 30 * 24 * 3_600_000;
