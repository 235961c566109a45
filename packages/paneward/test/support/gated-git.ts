import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cleanup, temporaryFolder } from "./folder.ts";
import { until } from "./until.ts";

/** A git for the daemon's PATH that stops before a command, until the test lets it continue. */
export interface GatedGit {
  readonly path: string;
  /** The next git with this command stops. */
  stopBefore(command: string): void;
  /** Resolves with its pid when it has stopped. */
  stopped(): Promise<number>;
  /** Lets it and all others run; resolves when it has ended. */
  goOn(): Promise<void>;
  letGo(): void;
}

export async function gatedGit(t: Cleanup): Promise<GatedGit> {
  const folder = join(await temporaryFolder(t), "bin");
  mkdirSync(folder);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const [command, pid, gate] = ["command", "pid", "gate"].map((name) => join(folder, name)) as [string, string, string];
  const script = `#!/bin/sh
wanted=$(cat ${command} 2> /dev/null)
for word in "$@"; do
  test "$word" = "$wanted" || continue
  echo $$ > ${pid}.new; mv ${pid}.new ${pid}
  until test -e ${gate}; do sleep 0.02; done
  break
done
exec ${real} "$@"
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  const pidNow = () => Number(readFileSync(pid, "utf8"));
  const letGo = () => {
    rmSync(command, { force: true });
    writeFileSync(gate, "");
  };
  return {
    path: `${folder}:${process.env.PATH}`,
    stopBefore: (name) => {
      for (const file of [pid, gate]) rmSync(file, { force: true });
      writeFileSync(command, name);
    },
    stopped: async () => {
      await until("git has stopped", () => existsSync(pid));
      return pidNow();
    },
    letGo,
    async goOn() {
      letGo();
      await until("git has ended", () => !isRunning(pidNow()));
    },
  };
}

// Where nobody reaps them, as in some containers, processes without a parent stay as zombies.
function isRunning(pid: number): boolean {
  try {
    return !/^(Z|$)/.test(execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim());
  } catch {
    return false;
  }
}
