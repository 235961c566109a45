/** Part of every team record, as in teamd. */
export const teamSchemaVersion = "1.0.0";

/** Names of teams and agents. They are used in paths, so `.` and `..` are not allowed. */
export const teamNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

export function isTeamName(text: string): boolean {
  return teamNamePattern.test(text);
}

/** The tmux socket of a team's workers. */
export function teamTmuxSocket(home: string, team: string): string {
  return `${home}/.pi/agent/tmux/${team}/tmux.sock`;
}

/** The file with a team's url, token and pid, where teamd's clients look for it. The only file that the daemon writes there. */
export function teamRuntimeFile(env: Readonly<Record<string, string | undefined>>, team: string): string {
  const root = env.PI_TEAM_WORKSPACE_ROOT || `${env.HOME ?? ""}/.pi/teams`;
  return `${root}/${team}/runtime.json`;
}
