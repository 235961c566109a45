import { basename } from "node:path";

/** The tmux session that holds the background tasks of one conversation. */
export function taskSessionName(cwd: string, sessionId: string): string {
  return `${projectPrefix(cwd)}${sessionId.replace(/[^A-Za-z0-9_-]+/g, "-")}`;
}

/** What the task sessions of a project begin with. Checkouts whose folders have the same name share it. */
export function projectPrefix(cwd: string): string {
  return `pi-${projectSlug(cwd)}-`;
}

/** Is this a task session of the project? `pi-app-` also begins the sessions of a project called `app-web`. */
export function belongsTo(prefix: string, session: string): boolean {
  return session.startsWith(prefix) && uuid.test(session.slice(prefix.length));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** tmux turns a dot in a session name into `_` and then does not find the name again: a dot becomes `-`. */
function projectSlug(cwd: string): string {
  const slug = basename(cwd)
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longestSlug)
    .replace(/-+$/, "");
  return slug === "" ? "project" : slug;
}

/** Together with the id of a session no longer than a session name may be. */
const longestSlug = 60;
