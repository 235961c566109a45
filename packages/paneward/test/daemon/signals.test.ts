import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { paneward } from "../cli/support/cli.ts";
import { daemonSandbox } from "../cli/support/own-daemon.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

/** How many TCP sockets a process listens on. */
function listeners(pid: number): number {
  const files = `/proc/${pid}/fd`;
  const own = readdirSync(files).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(openFile(join(files, fd)))?.[1] ?? []);
  const table = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, "latin1").split("\n"));
  const listening = table.map((line) => line.trim().split(/\s+/)).filter((columns) => columns[3] === "0A");
  return listening.filter((columns) => own.includes(columns[9] ?? "")).length;
}

/** What an open file is; nothing for one that was closed since it was listed. */
function openFile(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

test("SIGUSR1 opens no debugger, and SIGUSR2 ends nothing: both are logged", async (t) => {
  const { client, pid, folder } = await startDaemon(t);
  assert.equal(listeners(pid), 1);
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) {
    process.kill(pid, signal);
    await until(`${signal} is logged`, () =>
      readFileSync(join(folder, "state", "daemon.log"), "utf8").includes(`"signal":"${signal}"`),
    );
  }
  await client.ping({});
  assert.equal(listeners(pid), 1, "only its own port");
});

test("a daemon in the background keeps running after SIGHUP", async (t) => {
  const { env, folder } = daemonSandbox(t);
  assert.equal((await paneward(["daemon", "start"], { env })).code, 0);
  const pid = Number(readFileSync(join(folder, "state", "daemon.lock.pid"), "utf8"));
  process.kill(pid, "SIGHUP");
  await until("it is logged", () =>
    readFileSync(join(folder, "state", "daemon.log"), "utf8").includes('"signal":"SIGHUP"'),
  );
  process.kill(pid, 0);
  assert.ok(readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--disable-sigusr1"));
  assert.equal((await paneward(["daemon", "stop"], { env })).code, 0);
});
