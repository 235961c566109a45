import { PanewardError } from "./errors.ts";

/** Paths of the daemon, all of them absolute. Pure: environment and configuration are arguments. */
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
  const userHome = absolute({ name: "HOME", path: env.HOME || "/" }, "/");
  // A relative path in one of these is to be ignored, says the specification of these variables.
  const xdg = (name: string) => (env[name]?.startsWith("/") ? env[name] : undefined);
  const chosen = (names: readonly string[], inConfig: Named | undefined, otherwise: string) => {
    const [first] = [...names.map((name) => ({ name, path: env[name] })), inConfig].filter(isGiven);
    return first ? absolute(first, userHome) : otherwise;
  };
  const runtime = xdg("XDG_RUNTIME_DIR") ? `${xdg("XDG_RUNTIME_DIR")}/paneward` : `${userHome}/.local/run/paneward`;
  const sockets = distinct({
    socket: chosen(
      ["PANEWARD_SOCKET_PATH", "AGENCY_SOCKET_PATH"],
      { name: "`daemon.socket_path` in config.toml", path: config.socket_path },
      `${runtime}/daemon.sock`,
    ),
    tmuxSocket: chosen(
      ["PANEWARD_TMUX_SOCKET_PATH", "AGENCY_TMUX_SOCKET_PATH"],
      { name: "`daemon.tmux_socket_path` in config.toml", path: config.tmux_socket_path },
      `${runtime}/tmux.sock`,
    ),
  });
  const home = chosen(["PANEWARD_HOME"], undefined, `${xdg("XDG_STATE_HOME") ?? `${userHome}/.local/state`}/paneward`);
  return {
    ...sockets,
    home,
    database: `${home}/paneward.db`,
    journals: `${home}/journals`,
    worktrees: `${home}/worktrees`,
    tasks: `${home}/tasks`,
    log: `${home}/daemon.log`,
    userConfig: `${xdg("XDG_CONFIG_HOME") ?? `${userHome}/.config`}/paneward/config.toml`,
  };
}

/** Where tmux listened at the daemon's socket, no command reached the daemon. */
function distinct<Sockets extends Pick<Places, "socket" | "tmuxSocket">>(sockets: Sockets): Sockets {
  const [socket, tmuxSocket] = [sockets.socket, sockets.tmuxSocket].map((path) => path.replaceAll(/\/(\.?\/)+/g, "/"));
  if (socket !== tmuxSocket) return sockets;
  throw new PanewardError("bad_input", `the daemon and tmux cannot both listen on ${socket}`, {
    hint: "set PANEWARD_SOCKET_PATH or PANEWARD_TMUX_SOCKET_PATH to another path (in config.toml, `[daemon] socket_path` or `tmux_socket_path`)",
  });
}

interface Named {
  readonly name: string;
  readonly path: string | undefined;
}

function isGiven(named: Named | undefined): named is Named & { readonly path: string } {
  return named?.path !== undefined && named.path !== "";
}

/** No shell has replaced a `~` in a file or between quotes. A relative path would be another place in each folder. */
function absolute({ name, path }: { readonly name: string; readonly path: string }, userHome: string): string {
  if (path === "~" || path.startsWith("~/")) return `${userHome}${path.slice(1)}`;
  if (path.startsWith("/")) return path;
  throw new PanewardError("bad_input", `${name} is a relative path, which is another place in each folder: ${path}`, {
    hint: "give a path that begins with / or ~/",
  });
}
