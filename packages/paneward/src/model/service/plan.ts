/** What a service manager is to run, and where. */
export interface ServicePlan {
  /** Node, its flags, our main file, `daemon run`. */
  readonly argv: readonly string[];
  /** Variables of the installing shell that the daemon needs. */
  readonly env: Readonly<Record<string, string>>;
  /** The state folder and the socket of the daemon that this would be. */
  readonly home: string;
  readonly socket: string;
  /** What the daemon prints goes to the end of its log. */
  readonly log: string;
  /** Lines `NAME=value` by the user: keys, which are never copied from a shell into a unit. */
  readonly environmentFile: string;
  readonly version: string;
}

/**
 * The variables that say where the daemon's files are, how programs are found and in which language they print. Others may be
 * secrets, or hold only for one login.
 */
export function variablesFor(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const found = Object.entries(env).filter(([name, value]) => passed.test(name) && value !== undefined && value !== "");
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))) as Record<string, string>;
}

const passed =
  /^(PATH|SHELL|LANG|LC_[A-Z]+|TZ|XDG_(CONFIG|STATE|DATA|CACHE)_HOME|(PANEWARD|AGENCY)_(TMUX_)?SOCKET_PATH|PANEWARD_(HOME|HOOK_WAIT)|PI_TEAM_WORKSPACE_ROOT)$/;
