import { ToolFailure } from "./failure.ts";

export interface Session {
  readonly name: string;
  readonly windows: number;
  /** ISO 8601. */
  readonly created: string;
  readonly toolCallId: string;
  /** The agent that started it; empty for a session of somebody else. */
  readonly leader: string;
  readonly cwd: string;
}

export const defaultPrefix = "worker";

/** tmux would turn a `.` into `_` and then not find the name. */
export function safePrefix(prefix: string): string {
  const safe = prefix.replaceAll(".", "-");
  if (/^[A-Za-z0-9_-]{1,40}$/.test(safe) && !safe.startsWith("-")) return safe;
  throw new ToolFailure("invalid_session_name", "a name has 1 to 40 of A-Z a-z 0-9 _ - and does not start with - or .");
}

/** The session to use: an existing one with exactly this name or from this call, else the next free name. */
export function chooseSession(
  sessions: readonly Session[],
  prefix: string,
  toolCallId: string,
): { readonly name: string; readonly exists: boolean } {
  const known = sessions.find((one) => one.toolCallId === toolCallId || one.name === prefix);
  if (known) return { name: known.name, exists: true };
  const numbers = sessions.map(({ name }) => (name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0));
  const last = Math.max(0, ...numbers.filter((number) => Number.isSafeInteger(number)));
  return { name: `${prefix}${last + 1}`, exists: false };
}

/** Parses `list-sessions`. The daemon's own session, which keeps its connection, is not a worker. */
export function parseSessions(text: string): readonly Session[] {
  return text
    .split("\n")
    .map((line) => /^(\S+) (\d+) (\d+) (\S+) (\S+) (.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = "", windows, created, toolCallId = "", leader = "", cwd = ""]) => ({
      name,
      windows: Number(windows),
      created: new Date(Number(created) * 1_000).toISOString(),
      toolCallId: toolCallId === "-" ? "" : toolCallId,
      leader: leader === "-" ? "" : leader,
      cwd,
    }))
    .filter(({ name }) => name !== "paneward-keeper");
}
