/** Paths of the daemon. Pure: environment and configuration are arguments. */
export interface Places {
  readonly socket: string;
  readonly tmuxSocket: string;
  readonly home: string;
  readonly database: string;
  readonly journals: string;
  readonly worktrees: string;
  readonly tasks: string;
  readonly log: string;
  readonly userConfig: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface SocketConfig {
  readonly socket_path?: string;
  readonly tmux_socket_path?: string;
}

export function placesOf(env: Environment, config: SocketConfig = {}): Places {
  const userHome = env.HOME ?? "/";
  const runtime = env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/paneward` : `${userHome}/.local/run/paneward`;
  const home = env.PANEWARD_HOME || `${env.XDG_STATE_HOME || `${userHome}/.local/state`}/paneward`;
  return {
    socket: firstOf(env.PANEWARD_SOCKET_PATH, env.AGENCY_SOCKET_PATH, config.socket_path) ?? `${runtime}/daemon.sock`,
    tmuxSocket:
      firstOf(env.PANEWARD_TMUX_SOCKET_PATH, env.AGENCY_TMUX_SOCKET_PATH, config.tmux_socket_path) ??
      `${runtime}/tmux.sock`,
    home,
    database: `${home}/paneward.db`,
    journals: `${home}/journals`,
    worktrees: `${home}/worktrees`,
    tasks: `${home}/tasks`,
    log: `${home}/daemon.log`,
    userConfig: `${env.XDG_CONFIG_HOME || `${userHome}/.config`}/paneward/config.toml`,
  };
}

function firstOf(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== "");
}
