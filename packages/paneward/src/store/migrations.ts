/** Numbered by position; never changed after a release, only appended. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE terminals (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE tasks (id INTEGER PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE deliveries (id TEXT PRIMARY KEY, terminal TEXT NOT NULL, key TEXT, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE UNIQUE INDEX deliveries_by_key ON deliveries (terminal, key) WHERE key IS NOT NULL;
  CREATE TABLE tokens (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE undos (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL);
  CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, record TEXT NOT NULL);
  `,
  `
  CREATE TABLE read_positions (journal TEXT, caller TEXT, cursor TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (journal, caller)) WITHOUT ROWID;
  CREATE TABLE kept_arrangements (kind TEXT, place TEXT, name TEXT, record TEXT NOT NULL, PRIMARY KEY (kind, place, name)) WITHOUT ROWID;
  `,
  `
  CREATE TABLE logins (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  CREATE TABLE teams (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE team_tasks (id TEXT PRIMARY KEY, team TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX team_tasks_by_team ON team_tasks (team, id);
  CREATE TABLE team_threads (id TEXT PRIMARY KEY, team TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE team_messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX team_messages_by_thread ON team_messages (thread, seq);
  CREATE TABLE team_inbox (team TEXT, agent TEXT, cursor INTEGER, record TEXT NOT NULL, PRIMARY KEY (team, agent, cursor)) WITHOUT ROWID;
  CREATE TABLE team_seen (team TEXT, agent TEXT, cursor INTEGER NOT NULL, PRIMARY KEY (team, agent)) WITHOUT ROWID;
  CREATE TABLE team_workers (team TEXT, session TEXT, record TEXT NOT NULL, PRIMARY KEY (team, session)) WITHOUT ROWID;
  CREATE TABLE team_answers (team TEXT, key TEXT, at INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (team, key)) WITHOUT ROWID;
  `,
  `
  CREATE TABLE agents (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE questions (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE turns (number INTEGER PRIMARY KEY, agent TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX turns_by_agent ON turns (agent, number);
  CREATE INDEX deliveries_by_terminal ON deliveries (terminal);
  `,
  `
  CREATE INDEX deliveries_unfinished ON deliveries (record ->> '$.number') WHERE record ->> '$.unfinished' = 1;
  `,
  `
  UPDATE terminals SET record = json_remove(json_set(record, '$.lastReported', record -> '$.told'), '$.told')
    WHERE record -> '$.told' IS NOT NULL;
  `,
  `
  CREATE TABLE trusted (repository TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  CREATE TABLE set_aside (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, place TEXT NOT NULL, key TEXT NOT NULL, text TEXT);
  `,
  `
  CREATE TABLE notices (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  `,
];
