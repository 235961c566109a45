/** What is here, as far as it decides who can run a service. */
export interface ServiceFacts {
  readonly platform: string;
  readonly uid: number;
  readonly user: string;
  /** systemd runs as the machine's init. */
  readonly hasSystemd: boolean;
  readonly hasSystemctl: boolean;
  readonly isContainer: boolean;
  /** XDG_RUNTIME_DIR of this shell. */
  readonly runtimeDir: string | undefined;
  /** A manager of this user answers in /run/user/UID. */
  readonly hasUserManager: boolean;
  /** systemd keeps it running without a login. */
  readonly isLingering: boolean;
}

export type Manager =
  | { readonly kind: "systemd" | "launchd" }
  | { readonly kind: "none"; readonly why: string; readonly hint: string };

/** Who would run a service here, or in one sentence why nobody can. */
export function managerFor(facts: ServiceFacts): Manager {
  const { platform, user, uid } = facts;
  if (platform === "darwin") return { kind: "launchd" };
  const none = (why: string, hint: string): Manager => ({ kind: "none", why, hint });
  if (platform !== "linux") return none(`no service manager is known on ${platform}`, byHand);
  if (!facts.hasSystemd && facts.isContainer) {
    return none(
      "this container runs no systemd, so nothing here can run a service",
      `${byHand}, or make it the container's command`,
    );
  }
  if (!facts.hasSystemd || !facts.hasSystemctl) return none("systemd does not run this machine", byHand);
  if (!facts.hasUserManager)
    return none(`systemd runs no manager for ${user}`, `${lingerCommand(facts)} starts one; then log in again`);
  if (facts.runtimeDir !== ownRuntimeDir(uid)) {
    const why = `in this shell XDG_RUNTIME_DIR is ${facts.runtimeDir || "not set"}, as after su or sudo, so it would not find the daemon of a service`;
    return none(why, `log in as ${user}, or \`export XDG_RUNTIME_DIR=${ownRuntimeDir(uid)}\`, and try again`);
  }
  return { kind: "systemd" };
}

/** What gives this user a manager that starts with the machine and outlasts the last logout. */
export function lingerCommand({ uid, user }: Pick<ServiceFacts, "uid" | "user">): string {
  return `\`${uid === 0 ? "" : "sudo "}loginctl enable-linger ${user}\``;
}

export function ownRuntimeDir(uid: number): string {
  return `/run/user/${uid}`;
}

const byHand = "let what starts programs here run `paneward daemon run`";
