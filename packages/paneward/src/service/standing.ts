import { PanewardError, type Places } from "@paneward/sdk";
import { launchAgentText, launchAgentWithoutVariables } from "../model/service/launch-agent.ts";
import { managerFor } from "../model/service/manager.ts";
import { type ServicePlan, variablesFor } from "../model/service/plan.ts";
import type { UnitState } from "../model/service/systemd-state.ts";
import { isInOwnScope, isInUserManager } from "../model/service/tmux-scope.ts";
import { unitText, unitWithoutVariables } from "../model/service/unit.ts";
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

/** The service as it is, and as it would be. */
export interface ServiceStanding {
  readonly user: string;
  readonly manager: ServiceManager;
  readonly installed: Installed | undefined;
  readonly unit: UnitState;
  /** What the service's file would hold. */
  readonly wanted: string;
  /** It holds that, apart from the variables of the shell that installed it. */
  readonly isSound: boolean;
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
  if (!manager.isOurs(unit)) throw ofAnotherHome(unit, manager);
  const plan = planOf(setting);
  const wanted = manager.kind === "systemd" ? unitText(plan) : launchAgentText(plan);
  const without = manager.kind === "systemd" ? unitWithoutVariables : launchAgentWithoutVariables;
  const isSound = installed !== undefined && without(installed.text) === without(wanted);
  return { user, manager, installed, unit, wanted, isSound, isLingering: manager.kind === "launchd" || isLingering };
}

/** Where the tmux server of the terminals is, if it runs, and whether a program runs in it. */
export async function tmuxServer({ env, places }: Pick<ServiceSetting, "env" | "places">) {
  const format = "#{pid} #{pane_dead} #{session_name}";
  const args = ["-S", places.tmuxSocket, "-N", "list-panes", "-a", "-F", format];
  const answer = await machine.ask("tmux", args, { env: { PATH: env.PATH ?? "" } });
  const panes = answer.kind === "printed" ? answer.text.split("\n") : [];
  const pid = Number(panes[0]?.split(" ")[0]);
  if (!(pid > 0)) return undefined;
  const cgroups = cgroupsOf(pid);
  return {
    pid,
    hasPrograms: panes.some((pane) => pane.split(" ")[1] === "0" && !pane.endsWith(` ${keeper}`)),
    hasOwnScope: isInOwnScope(cgroups),
    endsWithManager: isInUserManager(cgroups, process.getuid?.() ?? 0),
  };
}

/** The session that keeps the server open. */
const keeper = "paneward-keeper";

function ofAnotherHome({ file }: UnitState, { path }: ServiceManager): PanewardError {
  return new PanewardError("conflict", `the service manager has this service from ${file}, and not from ${path}`, {
    hint: "is HOME that of your login?",
  });
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
