import type { SQLInputValue } from "node:sqlite";

export type Query = (sql: string) => readonly Readonly<Record<string, unknown>>[];

/** What cannot be read in a database that SQLite itself finds whole, and what makes the rest usable. */
export interface Mend {
  /** In words, such as `terminals t3`. */
  readonly found: readonly string[];
  readonly statements: readonly { readonly sql: string; readonly values: readonly SQLInputValue[] }[];
}

/** One record that someone has spoiled must not keep all others from being used: it is moved to the table `set_aside`. */
export function planMend(query: Query, now: number): Mend {
  const tables = tablesIn(query);
  const mends = [...mendCounters(query, tables, now), ...tables.flatMap((table) => setAside(query, table, now))];
  return {
    found: mends.flatMap(({ found }) => found),
    statements: mends.flatMap(({ statements }) => statements),
  };
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of its primary key. */
  readonly key: readonly string[];
}

function tablesIn(query: Query): readonly Table[] {
  const names = query("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  return names.map(({ name }) => {
    const columns = query(`PRAGMA main.table_info(${String(name)})`);
    const key = columns.filter(({ pk }) => Number(pk) > 0).map((column) => String(column.name));
    return { name: String(name), columns: columns.map((column) => String(column.name)), key };
  });
}

/** What the daemon relies on in the records that it reads at its start, as SQLite names the types. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terminals: {
    ...{ id: "text", name: "text", host: "text", session: "text", journal: "text", phase: "text", cwd: "text" },
    ...{ argv: "array", env: "object" },
  },
  tasks: { id: "integer", slug: "text", root: "text", text: "text", agent: "text", branch: "text", worktree: "text" },
  agents: { id: "text", kind: "text", name: "text" },
  questions: { id: "text" },
  deliveries: { id: "text", terminal: "text", state: "text" },
  tokens: { id: "text", scope: "text", hash: "text" },
  logins: { id: "text", scope: "text" },
  trusted: { repository: "text" },
  notices: { id: "text", tag: "text", fact: "object", state: "text", sends: "array" },
};

function setAside(query: Query, { name, columns, key }: Table, now: number): readonly Mend[] {
  if (!columns.includes("record")) return [];
  const fields = Object.entries(needed[name] ?? {}).map(
    ([field, type]) => `json_type(record, '$.${field}') IS '${type}'`,
  );
  // SQLite reads no further in a text that is no JSON.
  const isBad = `CASE WHEN typeof(record) = 'text' AND json_valid(record) THEN NOT (${["1", ...fields].join(" AND ")}) ELSE 1 END`;
  const keyOf = key.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");
  const found = query(`SELECT ${keyOf} AS key FROM ${name} WHERE ${isBad}`);
  if (found.length === 0) return [];
  const copy = `INSERT INTO set_aside (at, place, key, text) SELECT ?, ?, ${keyOf}, record FROM ${name} WHERE ${isBad}`;
  return [
    {
      found: found.map((row) => `${name} ${String(row.key)}`),
      statements: [
        { sql: copy, values: [now, name] },
        { sql: `DELETE FROM ${name} WHERE ${isBad}`, values: [] },
      ],
    },
  ];
}

/** The highest number that is in use, for each counter that gives numbers. */
const highest: Readonly<Record<string, readonly [table: string, sql: string]>> = {
  event: ["events", "max(seq)"],
  terminal: ["terminals", "max(CAST(substr(id, 2) AS INTEGER))"],
  task: ["tasks", "max(id)"],
  agent: ["agents", "max(CAST(substr(id, 2) AS INTEGER))"],
  question: ["questions", "max(CAST(substr(id, 2) AS INTEGER))"],
  notice: ["notices", "max(CAST(substr(id, 2) AS INTEGER))"],
  turn: ["turns", "max(number)"],
  team_task: ["team_tasks", "max(CAST(substr(id, 6) AS INTEGER))"],
  team_thread: ["team_threads", "max(CAST(substr(id, 8) AS INTEGER))"],
};

// A counter that is behind would give a number a second time.
function mendCounters(query: Query, tables: readonly Table[], now: number): readonly Mend[] {
  if (!tables.some(({ name }) => name === "counters")) return [];
  const values = new Map(query("SELECT name, value FROM counters").map(({ name, value }) => [String(name), value]));
  return [...values.keys(), ...Object.keys(highest).filter((name) => !values.has(name))].flatMap((name) => {
    const value = values.get(name);
    const [table, sql] = highest[name] ?? [];
    const isKnown = tables.some((one) => one.name === table);
    const used = isKnown ? Number(query(`SELECT ${sql} AS used FROM ${table}`)[0]?.used ?? 0) : 0;
    const isGood = value === undefined ? used === 0 : Number.isSafeInteger(value) && Number(value) >= used;
    if (isGood) return [];
    const put =
      "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    return [{ found: [`counter ${name}`], statements: [{ sql: put, values: [name, table ? used : now] }] }];
  });
}
