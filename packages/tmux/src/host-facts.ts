import { TmuxError } from "./protocol/errors.ts";
import { runChild } from "./transport/child.ts";
import { type Host, thisMachine } from "./transport/host.ts";
import { startLimitMs } from "./transport/transport.ts";

/** Facts about a host behind a prefix, from that host's environment, not ours. */
export interface HostFacts {
  readonly home: string;
  readonly shell: string;
  /** The socket of plain `tmux` on that host. */
  readonly defaultSocket: string;
  /** The user's folder for persistent state on that host. */
  readonly stateFolder: string;
  /** Environment for a tmux server on that host. Contains no secrets. */
  readonly env: Readonly<Record<string, string>>;
}

const named = ["PATH", "HOME", "SHELL", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "TMUX_TMPDIR", "XDG_STATE_HOME"];

// One value per line; a value with a line break is cut, which PATH and HOME do not have. If the home is not writable,
// as in a read-only container, the state folder is under the folder for temporary files.
const script = `${named.map((name) => `printf '${name}=%s\\n' "\${${name}-}"`).join("\n")}
printf 'uid=%s\\n' "$(id -u)"
printf 'bash=%s\\n' "$(command -v bash)"
d=\${XDG_STATE_HOME:-\${HOME%/}/.local/state}/paneward
(umask 077; mkdir -p "$d" && [ -w "$d" ]) 2>/dev/null || d=\${TMPDIR:-/tmp}/paneward-$(id -u)
printf 'state=%s\\n' "$d"`;

/** Queries a host once, in its own environment. */
export async function askHost(host: Pick<Host, "prefix" | "quoting" | "patienceMs">): Promise<HostFacts> {
  const target: Host = { ...thisMachine, ...host };
  const argv = ["sh", "-c", script];
  const { code, stdout, stderr } = await runChild(target, argv, {
    timeoutMs: startLimitMs(target),
    ownEnvironment: true,
    harmless: true,
  });
  if (code === 0) return factsFrom(stdout);
  const why = stderr.trim() || `exit code ${code}`;
  throw new TmuxError("subprocess_failed", `the host does not answer: ${why}`, { argv, stderr });
}

export function factsFrom(printed: string): HostFacts {
  const values = new Map(
    printed.split("\n").flatMap((line) => {
      const at = line.indexOf("=");
      return at > 0 && at < line.length - 1 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
    }),
  );
  const home = values.get("HOME") ?? "/";
  const shell = values.get("SHELL") ?? values.get("bash") ?? "/bin/sh";
  const env = named.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    home,
    shell,
    defaultSocket: `${values.get("TMUX_TMPDIR") ?? "/tmp"}/tmux-${values.get("uid") ?? "0"}/default`,
    stateFolder: values.get("state") ?? "/tmp/paneward",
    env: { LANG: "C.UTF-8", ...Object.fromEntries(env), HOME: home, SHELL: shell },
  };
}
