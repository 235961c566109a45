import { type Config, isTeamName, ownValue, type Places, teamTmuxSocket } from "@paneward/sdk";
import type { Store } from "../runtime/ports.ts";
import { teamHost } from "../runtime/team/workers.ts";
import { foreignSocket } from "../runtime/terminals/foreign-host.ts";
import { tmuxLaunchers } from "../system/tmux-scope.ts";
import type { HostSettings } from "../terminals/host-connection.ts";
import { createHosts } from "../terminals/hosts.ts";

/** The tmux servers that the daemon may reach: its own, teams', the user's, and those of the configuration. */
export function openHosts(places: Places, config: Config, store: () => Store) {
  return createHosts(hostSettings(places, config), () => [
    "local",
    ...Object.keys(config.hosts),
    ...teamHosts(store()),
  ]);
}

function hostSettings(places: Places, config: Config): (name: string) => HostSettings | undefined {
  const common = {
    env: serverEnvironment(),
    patienceMs: config.tmux_bridge.subprocess_timeout * 1_000,
    journalSegments: Math.max(2, config.daemon.journal_max_mb),
    owner: places.home,
    launchers: tmuxLaunchers,
  };
  return (name) => {
    const own = foreignSocket(name);
    if (own !== undefined) return { name, prefix: [], quoting: "argv", socketPath: own, foreign: true, ...common };
    if (name === "local") {
      return { name, prefix: [], quoting: "argv", socketPath: places.tmuxSocket, ...common };
    }
    const [, team] = /^team:(.+)$/.exec(name) ?? [];
    if (team !== undefined && isTeamName(team)) {
      const socketPath = teamTmuxSocket(process.env.HOME ?? "/", team);
      return { name, prefix: [], quoting: "argv", socketPath, ...common };
    }
    const host = ownValue(config.hosts, name);
    const socket = host?.socket === undefined ? {} : { socketPath: host.socket };
    return host && { name, ...host, ...socket, ...common };
  };
}

// Only teams that have workers: an unused team has no tmux server.
function teamHosts(store: Store): readonly string[] {
  return [...new Set(store.team.workers().map(({ teamId }) => teamHost(teamId)))];
}

// Variables that every terminal inherits. Keys and tokens are not among them: a task's agent gets its own by name.
function serverEnvironment(): Readonly<Record<string, string>> {
  const named = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|EDITOR|VISUAL|PAGER|XDG_[A-Z_]+)$/;
  const found = Object.entries(process.env).filter(([name, value]) => named.test(name) && value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}
