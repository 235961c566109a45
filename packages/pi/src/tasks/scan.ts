import { TmuxError } from "@paneward/tmux";
import { missed } from "./delivery.ts";
import { observe } from "./events.ts";
import { look } from "./look.ts";
import type { Memory } from "./memory.ts";
import { belongsTo } from "./names.ts";
import type { PlainServer } from "./server.ts";
import { liveTasks } from "./snapshot.ts";

/**
 * Checks the project's other task sessions once. Sessions without running tasks are killed, unless another pi watches
 * them; their pending news is kept for their conversation. Returns messages about those that still run.
 */
export async function scanOldSessions(
  server: PlainServer,
  memory: Memory,
  prefix: string,
  current: string,
): Promise<readonly string[]> {
  const sessions = await listSessions(server);
  memory.prune(prefix, (session) => sessions.includes(session));
  const notices: string[] = [];
  for (const session of sessions.filter((name) => name !== current && belongsTo(prefix, name))) {
    const remembered = memory.load(session);
    const snapshot = await look(server, session, []);
    const live = liveTasks(snapshot);
    if (live.length > 0) {
      notices.push(
        noticeOf(
          server.socketPath,
          session,
          remembered?.title,
          live.map(({ windowName }) => windowName),
        ),
      );
    } else if (snapshot.exists && !isAlive(remembered?.pid)) {
      const { known, events } = observe(remembered?.known ?? { tasks: [] }, snapshot);
      const pending = [...(remembered?.pending ?? []), ...missed(events)];
      const { title } = remembered ?? {};
      const tasks = known.tasks.map(({ outputPreview: _, ...task }) => task);
      memory.save(session, { known: { ...known, tasks }, pending, ...(title ? { title } : {}), pid: 0 });
      await killSession(server, session);
    }
  }
  return notices;
}

async function listSessions(server: PlainServer): Promise<readonly string[]> {
  try {
    return await server.run([["list-sessions", "-F", "#{session_name}"]], { readOnly: true });
  } catch (error) {
    if (error instanceof TmuxError && error.type === "server_lost") return [];
    throw error;
  }
}

export async function killSession(server: PlainServer, session: string): Promise<void> {
  try {
    await server.run([["kill-session", "-t", `=${session}`]]);
  } catch (error) {
    // It ended in the meantime.
    if (!(error instanceof TmuxError && ["session_not_found", "server_lost"].includes(error.type))) throw error;
  }
}

function noticeOf(socket: string, session: string, title: string | undefined, names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const whose = title === undefined ? "" : ` of "${title}"`;
  return `Tasks${whose} still run in tmux session ${session}: ${shown}${more}\n  tmux -S '${socket}' attach -t '=${session}'`;
}

function isAlive(pid = 0): boolean {
  if (pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
