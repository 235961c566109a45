import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { ownRuntimeDir, type ServiceFacts } from "../model/service/manager.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What is here, as far as it decides who can run a service, and where a tmux server belongs. No program is asked. */
export function serviceFacts(env: Environment): ServiceFacts {
  const uid = process.getuid?.() ?? 0;
  const user = userName(uid);
  return {
    platform: process.platform,
    uid,
    user,
    hasSystemd: statSync("/run/systemd/system", { throwIfNoEntry: false })?.isDirectory() === true,
    hasSystemctl: isOnPath("systemctl", env.PATH),
    isContainer: Boolean(env.container) || containerMarks.some((path) => existsSync(path)),
    runtimeDir: env.XDG_RUNTIME_DIR,
    hasUserManager: existsSync(`${ownRuntimeDir(uid)}/systemd/private`),
    isLingering: existsSync(`/var/lib/systemd/linger/${user}`),
  };
}

/** The cgroups of a process; empty where there are none. */
export function cgroupsOf(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8");
  } catch {
    return "";
  }
}

const containerMarks = ["/run/.containerenv", "/.dockerenv", "/run/systemd/container"];

// An id without a row in the system's list of users has no name.
function userName(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return String(uid);
  }
}

function isOnPath(program: string, path = ""): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
