import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterwards, type Cleanup, temporaryFolder } from "../../support/folder.ts";
import { until } from "../../support/until.ts";

/** A session bus and a notification daemon of a desktop, on a screen in memory; all of a test's own. */
export async function startDesktop(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const started: ChildProcess[] = [];
  const start = (env: NodeJS.ProcessEnv, program: string, ...args: readonly string[]) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], env });
    started.push(child);
    return child;
  };
  afterwards(t, async () => {
    for (const child of started.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
  });
  const base = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder };
  const bus = start(
    base,
    "dbus-daemon",
    "--session",
    "--nofork",
    "--print-address=1",
    `--address=unix:path=${folder}/bus`,
  );
  const address = await firstLine(bus);
  const screen = start(
    base,
    "Xvfb",
    "-displayfd",
    "1",
    "-screen",
    "0",
    "640x480x8",
    "-nolisten",
    "tcp",
    "-auth",
    authority(folder),
  );
  const display = `:${await firstLine(screen)}`;
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: address, DISPLAY: display, XAUTHORITY: join(folder, "authority") };
  writeFileSync(
    join(folder, "dunstrc"),
    `[global]\nnotification_limit = 50\ndmenu = /bin/grep -m1 -i -f ${folder}/choice\n`,
  );
  start(env, "dunst", "-conf", join(folder, "dunstrc"));
  const ask = (...args: readonly string[]) => {
    const ran = spawnSync("dunstctl", args, { env, encoding: "utf8" });
    return ran.status === 0 ? ran.stdout : undefined;
  };
  await until("the notification daemon answers", () => ask("count", "displayed") !== undefined);
  return {
    env,
    displayed: () => Number(ask("count", "displayed")),
    /** Opens the menu with all actions, `#LABEL (TITLE) [ID,KEY]`, and chooses one; the menu is a program that prints a line. */
    choose(label: string, title: string) {
      writeFileSync(join(folder, "choice"), `^#${label} (${title})`);
      ask("context");
    },
  };
}

/** A server with an authority file lets in nobody without a cookie of it; an empty file switches that off. */
function authority(folder: string): string {
  const path = join(folder, "authority");
  writeFileSync(path, "", { mode: 0o600 });
  return path;
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stdout ?? []) {
    text += String(piece);
    if (text.includes("\n")) return text.split("\n")[0] ?? "";
  }
  throw new Error(`${child.spawnfile} ended before it printed a line`);
}
