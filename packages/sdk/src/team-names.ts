/** In every record of a team, as in teamd's. */
export const teamSchemaVersion = "1.0.0";

/** Names of teams and agents. They become parts of paths, so none is `.` or `..`. */
export const teamNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

export function isTeamName(text: string): boolean {
  return teamNamePattern.test(text);
}

/** Where a team's workers have their tmux server. */
export function teamTmuxSocket(home: string, team: string): string {
  return `${home}/.pi/agent/tmux/${team}/tmux.sock`;
}

/** Where the daemon says how a team is reached: url, token, pid. The only file that it writes there. */
export function teamRuntimeFile(home: string, team: string): string {
  return `${home}/.pi/teams/${team}/runtime.json`;
}
