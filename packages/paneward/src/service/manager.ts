import { realpathSync } from "node:fs";
import { PanewardError } from "@paneward/sdk";
import { commandsFor, type ServiceAct } from "../model/service/commands.ts";
import { ownRuntimeDir } from "../model/service/manager.ts";
import { readJob, readState, type UnitState } from "../model/service/systemd-state.ts";
import { machine } from "../system/machine.ts";
import { servicePath } from "./place.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The service manager of this user. */
export interface ServiceManager {
  readonly kind: "systemd" | "launchd";
  /** The file that describes the service to it. */
  readonly path: string;
  state(): Promise<UnitState>;
  /** Whether what it knows under our name is our file, and not one of another home folder. */
  isOurs(unit: UnitState): boolean;
  /** Fails with what the manager says. */
  ask(act: Exclude<ServiceAct, "state">): Promise<void>;
  /** Makes the manager run without a login, or only with one. */
  linger(user: string, on: boolean): Promise<void>;
}

export function serviceManager(kind: ServiceManager["kind"], env: Environment): ServiceManager {
  const uid = process.getuid?.() ?? 0;
  const path = servicePath(kind, env);
  // Shells after su have no such variable, and the manager answers nowhere else.
  const asked = { ...defined(env), ...(kind === "systemd" ? { XDG_RUNTIME_DIR: ownRuntimeDir(uid) } : {}) };
  const run = async (argv: readonly string[]): Promise<string> => {
    const [program = "", ...args] = argv;
    const answer = await machine.ask(program, args, { env: asked, limitMs: startLimitMs });
    if (answer.kind === "printed") return answer.text;
    const why =
      answer.kind === "missing" ? "is not on the PATH" : answer.kind === "silent" ? "did not answer" : answer.reason;
    throw new PanewardError("unavailable", `${argv.join(" ")}: ${why}`, {
      hint: "`paneward service status` shows its state",
    });
  };
  const commands = (act: ServiceAct) => commandsFor(kind, act, { uid, path });
  return {
    kind,
    path,
    async state() {
      const [command = { argv: [] }] = commands("state");
      if (kind === "systemd") return readState(await run(command.argv));
      return readJob(await run(command.argv).catch(() => undefined));
    },
    isOurs: ({ file }) => file === undefined || resolved(file) === resolved(path),
    async ask(act) {
      for (const { argv, mayFail } of commands(act)) {
        if (mayFail) await run(argv).catch(() => "");
        else await run(argv);
      }
    },
    async linger(user, on) {
      await run(["loginctl", "--no-ask-password", on ? "enable-linger" : "disable-linger", user]);
    },
  };
}

// A start waits until the daemon is ready, which the unit gives a minute.
const startLimitMs = 70_000;

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function defined(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>;
}
