import { agentLabel } from "./launch-agent.ts";
import { askedProperties } from "./systemd-state.ts";
import { unitName } from "./unit.ts";

/** What can be asked of a service manager. */
export type ServiceAct =
  /** How the service is. */
  | "state"
  /** Reads the service's file again and starts it with the machine or the login from now on. */
  | "load"
  /** Starts it, and waits until it is ready where the manager can. */
  | "start"
  | "stop"
  /** Does not start it by itself any more. */
  | "unload"
  /** Forgets a file that was removed or replaced. */
  | "forget";

export interface ManagerCommand {
  readonly argv: readonly string[];
  /** It fails where there is nothing to do. */
  readonly mayFail?: true;
}

export function commandsFor(
  manager: "systemd" | "launchd",
  act: ServiceAct,
  { uid, path }: { readonly uid: number; readonly path: string },
): readonly ManagerCommand[] {
  return manager === "systemd" ? ofSystemd(act) : ofLaunchd(act, `gui/${uid}`, path);
}

function ofSystemd(act: ServiceAct): readonly ManagerCommand[] {
  const systemctl = (...args: readonly string[]): ManagerCommand => ({ argv: ["systemctl", "--user", ...args] });
  // A person asks: that it failed often before is no reason to refuse.
  const afresh: ManagerCommand = { ...systemctl("reset-failed", unitName), mayFail: true };
  switch (act) {
    case "state":
      return [systemctl("show", unitName, ...askedProperties.map((name) => `--property=${name}`))];
    case "load":
      return [systemctl("daemon-reload"), systemctl("enable", "--quiet", unitName)];
    case "start":
      return [afresh, systemctl("start", unitName)];
    case "stop":
      return [systemctl("stop", unitName)];
    case "unload":
      return [systemctl("disable", "--quiet", unitName)];
    case "forget":
      return [systemctl("daemon-reload"), afresh];
  }
}

function ofLaunchd(act: ServiceAct, domain: string, path: string): readonly ManagerCommand[] {
  const job = `${domain}/${agentLabel}`;
  const launchctl = (...args: readonly string[]): ManagerCommand => ({ argv: ["launchctl", ...args] });
  switch (act) {
    case "state":
      return [{ ...launchctl("print", job), mayFail: true }];
    case "load":
      return [{ ...launchctl("bootout", job), mayFail: true }, launchctl("bootstrap", domain, path)];
    case "start":
      return [launchctl("kickstart", job)];
    case "stop":
      return [{ ...launchctl("kill", "SIGTERM", job), mayFail: true }];
    case "unload":
      return [{ ...launchctl("bootout", job), mayFail: true }];
    case "forget":
      return [];
  }
}
