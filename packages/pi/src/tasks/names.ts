import { basename } from "node:path";

/** The tmux session that holds the background tasks of one conversation. */
export function taskSessionName(cwd: string, sessionId: string): string {
  return `${projectPrefix(cwd)}${sessionId.replace(/[^A-Za-z0-9_-]+/g, "-")}`;
}

/** The prefix of a project's task sessions. Checkouts with the same folder name share it. */
export function projectPrefix(cwd: string): string {
  return `pi-${projectSlug(cwd)}-`;
}

/**
 * Whether this is a task session of the project. `pi-app-` is also a prefix of the sessions of a project called
 * `app-web`.
 */
export function belongsTo(prefix: string, session: string): boolean {
  return session.startsWith(prefix) && uuid.test(session.slice(prefix.length));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** tmux turns a dot in a session name into `_` and then does not find the name again: use `-` instead. */
function projectSlug(cwd: string): string {
  const slug = basename(cwd)
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxSlugLength)
    .replace(/-+$/, "");
  return slug === "" ? "project" : slug;
}

/** Together with a session id, no longer than a session name may be. */
const maxSlugLength = 60;
