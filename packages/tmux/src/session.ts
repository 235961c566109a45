import { TmuxError } from "./protocol/errors.ts";
import { type SessionId, sessionName } from "./protocol/names.ts";
import type { Server } from "./server.ts";

export interface SessionRow {
  readonly session: SessionId;
  readonly name: string;
  readonly windows: number;
  readonly attached: number;
  readonly createdSeconds: number;
}

const format = "#{session_id}\t#{session_windows}\t#{session_attached}\t#{session_created}\t#{session_name}";

/** All sessions except the hidden keeper. */
export async function listSessions(server: Server): Promise<readonly SessionRow[]> {
  const lines = await server.run([["list-sessions", "-F", format]], { readOnly: true });
  return lines.map(parseSessionRow).filter(({ name }) => name !== server.keeper);
}

export async function renameSession(server: Server, from: string, to: string): Promise<void> {
  await server.run([["rename-session", "-t", `=${sessionName(from)}`, "--", sessionName(to)]]);
}

/** Kills a session and everything in it. `=name` matches the whole name; without `=`, tmux also matches a prefix. */
export async function killSession(server: Server, name: string): Promise<void> {
  if (name === server.keeper) {
    throw new TmuxError("name_invalid", `${name} keeps the server alive and cannot be ended; end the server instead`);
  }
  await server.run([["kill-session", "-t", `=${sessionName(name)}`]]);
}

function parseSessionRow(line: string): SessionRow {
  const [session, windows, attached, created, ...name] = line.split("\t");
  return {
    session: session as SessionId,
    name: name.join("\t"),
    windows: Number(windows),
    attached: Number(attached),
    createdSeconds: Number(created),
  };
}
