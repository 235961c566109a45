/**
 * What the rows of an agent's record mean: data, so that one reader serves all agents. A path names a field by dots
 * (`message.content`), an element of a list by its number, and all of them by `*`; their texts are joined.
 */
export interface RecordRows {
  /** When a row was written: a date as text, in milliseconds, or in seconds. */
  readonly at: string;
  /** The conversation that a row belongs to, where a file has several. */
  readonly of?: string;
  /** Rows that say which prompt the agent was given. Each rule reports a prompt at most once. */
  readonly prompt: readonly RowRule[];
}

export interface RowRule {
  /** The values that fields must have; `null` for a field that must be absent. */
  readonly when: Readonly<Record<string, string | number | boolean | null>>;
  readonly text: string;
}

/** A prompt that a row reports. */
export interface RecordedPrompt {
  readonly text: string;
  /** The latest moment, by the wall clock, that its date can mean. */
  readonly at: number;
  /** Which of the rules says so. */
  readonly rule: number;
}

/** The prompts that one line of a record reports; nothing for a line that is not complete or that no rule knows. */
export function promptsIn(rows: RecordRows, line: string, conversation: string | undefined): readonly RecordedPrompt[] {
  const row = parsed(line);
  if (row === undefined) return [];
  if (rows.of !== undefined && (conversation === undefined || fieldAt(row, rows.of) !== conversation)) return [];
  const at = dateOf(fieldAt(row, rows.at));
  if (at === undefined) return [];
  return rows.prompt.flatMap(({ when, text }, rule) => {
    const holds = Object.entries(when).every(([path, value]) => (fieldAt(row, path) ?? null) === value);
    const words = holds ? textAt(row, text) : undefined;
    return words === undefined ? [] : [{ text: words, at, rule }];
  });
}

/** What the first row of a record says about its conversation. */
export interface RecordHead {
  readonly id?: string;
  /** Its folder, or the SHA-256 of it, in hex. */
  readonly folder?: string;
  readonly folderHash?: string;
  readonly began?: string;
}

export interface Headline {
  readonly id: string | undefined;
  readonly folder: string | undefined;
  readonly folderHash: string | undefined;
  readonly began: number | undefined;
}

export function headOf(head: RecordHead, line: string): Headline | undefined {
  const row = parsed(line);
  if (row === undefined) return undefined;
  const text = (path: string | undefined) => (path === undefined ? undefined : textAt(row, path));
  const began = head.began === undefined ? undefined : dateOf(fieldAt(row, head.began));
  return { id: text(head.id), folder: text(head.folder), folderHash: text(head.folderHash), began };
}

function fieldAt(row: unknown, path: string): unknown {
  let at: unknown = row;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.hasOwn(at, name) ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return at;
}

function textAt(row: unknown, path: string): string | undefined {
  const [before, after, ...more] = path.split(".*.");
  if (after === undefined) {
    const value = fieldAt(row, path);
    return typeof value === "string" ? value : undefined;
  }
  const list = fieldAt(row, before ?? "");
  if (!Array.isArray(list) || more.length > 0) return undefined;
  const texts = list.map((one) => fieldAt(one, after)).filter((text) => typeof text === "string");
  return texts.length > 0 ? texts.join("") : undefined;
}

// A date in whole seconds may mean any moment of its second.
function dateOf(value: unknown): number | undefined {
  if (typeof value === "number") return value < 1e11 ? value * 1_000 + 999 : value;
  const date = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(date) ? date : undefined;
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
