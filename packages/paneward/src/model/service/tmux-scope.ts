import { ownRuntimeDir } from "./manager.ts";

/** What decides where a tmux server belongs. */
export interface ScopeFacts {
  readonly uid: number;
  readonly hasUserManager: boolean;
  readonly isLingering: boolean;
  /** The cgroups of this process, as in /proc/self/cgroup. */
  readonly cgroups: string;
  readonly runtimeDir: string | undefined;
  /** Makes the unit's name unique. */
  readonly mark: string;
}

/**
 * Through what a tmux server is started: in a scope of its own, nothing that ends the daemon ends it, and neither does a logout with
 * KillUserProcesses.
 *
 * Scopes belong to the user's manager, which ends with the last login unless the user lingers. So a daemon in a login session
 * of a user who does not linger leaves its server in that session, which outlasts the logout on most systems.
 */
export function launchersFor(facts: ScopeFacts): readonly (readonly string[])[] {
  const { uid, mark, runtimeDir } = facts;
  if (!facts.hasUserManager) return [];
  if (!facts.isLingering && !isInUserManager(facts.cgroups, uid)) return [];
  const wanted = ownRuntimeDir(uid);
  // After su the variable is missing, and only systemd-run needs it.
  const before = runtimeDir === wanted ? [] : ["env", `XDG_RUNTIME_DIR=${wanted}`];
  const after =
    runtimeDir === wanted
      ? []
      : ["env", ...(runtimeDir === undefined ? ["-u", "XDG_RUNTIME_DIR"] : [`XDG_RUNTIME_DIR=${runtimeDir}`])];
  const scope = (...more: readonly string[]) => [
    ...before,
    "systemd-run",
    ...["--user", "--scope", "--quiet", "--collect", `--unit=paneward-tmux-${mark}`, ...more, "--"],
    ...after,
  ];
  // Where one program took too much memory, systemd would end all of the scope. Before 252 there is no setting against it.
  return [scope("--property=OOMPolicy=continue"), scope()];
}

/** Whether a process is in the user's own manager, as a service or in a scope. */
export function isInUserManager(cgroups: string, uid: number): boolean {
  return cgroups.includes(`/user@${uid}.service/`);
}

/** Whether a tmux server is in a scope that we made. */
export function isInOwnScope(cgroups: string): boolean {
  return /\/paneward-tmux-[0-9a-f]+\.scope$/m.test(cgroups);
}
