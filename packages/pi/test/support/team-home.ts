import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestDaemon } from "../../../paneward/test/support/daemon.ts";
import { makePiHome, type PiHome, piProgram, repository } from "./pi-home.ts";

/** A home in which pi and the daemon find each other, and pi finds the workers' program. */
export function teamHome(daemon: TestDaemon, modelPort: number): PiHome {
  const { PANEWARD_SOCKET_PATH = "" } = daemon.env;
  const inTeam = { PI_TEAM_ID: "demo", PI_AGENT_ID: "lead", PI_TEAMD_TOKEN: "leak-me" };
  const made = makePiHome(modelPort, { HOME: daemon.folder, PANEWARD_SOCKET_PATH, ...inTeam });
  execFileSync(process.execPath, [join(repository, "packages/pi/build.ts"), join(made.folder, "dist")]);
  const settings = join(made.agentFolder, "settings.json");
  const team = { cmd: [piProgram, "--no-session", "-e", extension(made)] };
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), team }));
  return made;
}

export function extension({ folder }: PiHome): string {
  return join(folder, "dist", "team.js");
}
