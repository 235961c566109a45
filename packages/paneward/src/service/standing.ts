import { PanewardError, type Places } from "@paneward/sdk";
import { launchAgentText } from "../model/service/launch-agent.ts";
import { managerFor } from "../model/service/manager.ts";
import { type ServicePlan, variablesFor } from "../model/service/plan.ts";
import type { UnitState } from "../model/service/systemd-state.ts";
import { isInOwnScope, isInUserManager } from "../model/service/tmux-scope.ts";
import { unitText } from "../model/service/unit.ts";
import { machine } from "../system/machine.ts";
import { cgroupsOf, serviceFacts } from "../system/service-facts.ts";
import { type Installed, installedService } from "./installed.ts";
import { type ServiceManager, serviceManager } from "./manager.ts";

/** What the steps and commands need to know of the command line that asks. */
export interface ServiceSetting {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Pick<Places, "home" | "socket" | "tmuxSocket" | "log" | "userConfig">;
  /** The command line that runs a daemon of this installation, and its version. */
  readonly argv: readonly string[];
  readonly version: string;
}

/** How the service stands, and how it would. */
export interface ServiceStanding {
  readonly user: string;
  readonly manager: ServiceManager;
  readonly installed: Installed | undefined;
  readonly unit: UnitState;
  /** What the service's file would hold. */
  readonly wanted: string;
  /** Always on macOS, where a job lives as long as the login anyway. */
  readonly isLingering: boolean;
}

/** The service manager; fails in one sentence where there is none. */
export function serviceManagerHere({ env }: Pick<ServiceSetting, "env">): ServiceManager {
  const found = managerFor(serviceFacts(env));
  if (found.kind !== "none") return serviceManager(found.kind, env);
  throw new PanewardError("unavailable", found.why, { hint: found.hint });
}

export async function serviceStanding(setting: ServiceSetting): Promise<ServiceStanding> {
  const { env } = setting;
  const manager = serviceManagerHere(setting);
  const { user, isLingering } = serviceFacts(env);
  const [installed, unit] = await Promise.all([installedService(env), manager.state()]);
  const plan = planOf(setting);
  const wanted = manager.kind === "systemd" ? unitText(plan) : launchAgentText(plan);
  return { user, manager, installed, unit, wanted, isLingering: manager.kind === "launchd" || isLingering };
}

/** Where the tmux server of the terminals is, if it runs. */
export async function tmuxServer({ env, places }: Pick<ServiceSetting, "env" | "places">) {
  const args = ["-S", places.tmuxSocket, "-N", "display-message", "-p", "#{pid}"];
  const answer = await machine.ask("tmux", args, { env: { PATH: env.PATH ?? "" } });
  const pid = answer.kind === "printed" ? Number(answer.text) : 0;
  if (!(pid > 0)) return undefined;
  const cgroups = cgroupsOf(pid);
  const uid = process.getuid?.() ?? 0;
  return { pid, hasOwnScope: isInOwnScope(cgroups), endsWithManager: isInUserManager(cgroups, uid) };
}

function planOf({ env, places, argv, version }: ServiceSetting): ServicePlan {
  const environmentFile = places.userConfig.replace(/[^/]+$/, "environment");
  return {
    argv,
    env: variablesFor(env),
    home: places.home,
    socket: places.socket,
    log: places.log,
    environmentFile,
    version,
  };
}
