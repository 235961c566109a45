import { rm } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import { lingerCommand } from "../model/service/manager.ts";
import {
  type ServiceSetting,
  type ServiceStanding,
  serviceManagerHere,
  serviceStanding,
  tmuxServer,
} from "../service/service.ts";
import { fileBack } from "./back.ts";
import { bytesOf } from "./files.ts";
import type { Back, Made, Offer, Step } from "./step.ts";

export interface Service extends ServiceSetting {
  /** Stops the daemon that runs, if one does, and starts that of the service. */
  replaceDaemon(): Promise<void>;
}

/**
 * The daemon as a service: it begins with the machine, outlasts logouts and comes back after a crash. `exact`: also the
 * variables of this shell, such as its PATH, are brought into it; they differ from shell to shell, and repair nothing.
 */
export function serviceStep(service: Service, { exact = false } = {}): Step {
  return {
    name: serviceStepName,
    async look() {
      const standing = await serviceStanding(service);
      const { installed, unit, wanted, isLingering, manager, isSound } = standing;
      requireOwnHome(standing, service);
      const isCurrent = exact ? installed?.text === wanted : isSound;
      const isWhole = isCurrent && unit.isEnabled && unit.active === "active" && isLingering;
      if (isWhole) return { state: "in place", detail: `${manager.path}, pid ${unit.pid}` };
      const before = await bytesOf(manager.path);
      const edits = isCurrent ? [] : [{ path: manager.path, before, after: Buffer.from(wanted) }];
      return {
        state: installed?.written ? "damaged" : "missing",
        offer: { ...offerOf(standing, service, isCurrent), edits },
      };
    },
    async back(made) {
      if (made.file) return backOfFile(service, made.file);
      return made.linger === undefined ? backOfService(service, made) : backOfLinger(service, made.linger);
    },
  };
}

export const serviceStepName = "service";

/** What to take back of a service that no record knows, such as that of a lost state folder. */
export async function unrecordedService(service: Service): Promise<readonly Back[]> {
  const { installed, manager } = await serviceStanding(service);
  if (!installed?.written) return [];
  const perform = async () => {
    await rm(manager.path, { force: true });
    await manager.ask("forget");
  };
  return [await backOfService(service, {}), { kind: "removed our part", says: `${manager.path}: removed`, perform }];
}

function offerOf(
  { installed, unit, isLingering, manager, user }: ServiceStanding,
  service: Service,
  isCurrent: boolean,
): Omit<Offer, "edits"> {
  const isRight = isCurrent && unit.active === "active";
  const fileIs =
    installed === undefined
      ? "a new file"
      : installed.written
        ? `renewed; it ran ${installed.written.program}`
        : "replaced; it was not written by Paneward";
  return {
    why: "the daemon begins with the machine, outlasts your logout, and comes back after a crash",
    says: [
      ...(isLingering
        ? []
        : [`lingering for ${user}: switched on, so that ${manager.kind} runs your services without a login`]),
      ...(isCurrent ? [] : [`${manager.path}: ${fileIs}`]),
      ...(unit.isEnabled ? [] : ["the service: begins by itself from now on"]),
      ...(isRight ? [] : ["the daemon: runs in the service from now on; terminals keep running"]),
    ],
    ...(installed === undefined && !isCurrent ? { advice: "`paneward service status` shows its state" } : {}),
    // Without it, a service and its terminals would end with the last logout, and so do worse than a daemon of a shell.
    ...(isLingering ? {} : { first: async () => void (await lingerOn(manager, user)), firstMakes: { linger: user } }),
    makes: { service: { wasEnabled: unit.isEnabled } },
    async make() {
      await manager.ask("load");
      if (!(await manager.state()).isLoaded) throw notSeen(manager.path);
      if (!isRight) await service.replaceDaemon();
      return undefined;
    },
  };
}

async function lingerOn(manager: ServiceStanding["manager"], user: string): Promise<void> {
  try {
    await manager.linger(user, true);
  } catch (cause) {
    const uid = process.getuid?.() ?? 0;
    throw new PanewardError(
      "no_linger",
      `a service of ${user} would end with the last logout, and this user may not change that; nothing was changed`,
      {
        hint: `run ${lingerCommand({ uid, user })}, and then this again`,
        cause,
      },
    );
  }
}

function requireOwnHome({ installed, manager }: ServiceStanding, { places }: Service): void {
  const other = installed?.written?.home;
  if (other === undefined || other === places.home) return;
  throw new PanewardError("conflict", `${manager.path} runs the daemon of another state folder, ${other}`, {
    hint: `\`PANEWARD_HOME=${other} paneward service uninstall\` removes it`,
  });
}

function notSeen(path: string): PanewardError {
  return new PanewardError("unavailable", `the service manager does not find ${path}`, {
    hint: "is your home folder where it was when you logged in? Take it back with `paneward service uninstall`",
  });
}

async function backOfService(service: Service, { service: made }: Pick<Made, "service">): Promise<Back> {
  const manager = serviceManagerHere(service);
  const { isLoaded } = await manager.state();
  if (!isLoaded) return { kind: "gone", says: "the service: is not there any more", perform: async () => {} };
  return {
    kind: "restored",
    says: "the service: stopped, and does not begin by itself any more; terminals keep running",
    async perform() {
      await manager.ask("stop");
      if (!made?.wasEnabled) await manager.ask("unload");
    },
  };
}

async function backOfFile(service: Service, file: NonNullable<Made["file"]>): Promise<Back> {
  const manager = serviceManagerHere(service);
  const back = await fileBack(
    file,
    { isIn: (text) => /X-Paneward|PANEWARD_SERVICE_VERSION/.test(text) },
    "remove it by hand",
  );
  const perform = async () => {
    await back.perform();
    await manager.ask("forget");
  };
  return { ...back, perform };
}

async function backOfLinger(service: Service, user: string): Promise<Back> {
  const says = `lingering for ${user}: `;
  const tmux = await tmuxServer(service);
  if (tmux?.hasPrograms && tmux.endsWithManager) {
    const left =
      "left on, because terminals run, and would end with your last logout; when they have ended, run this again";
    return { kind: "left", says: says + left, perform: async () => {} };
  }
  const manager = serviceManagerHere(service);
  return {
    kind: "restored",
    says: `${says}switched off, as it was before`,
    perform: () => manager.linger(user, false),
  };
}
