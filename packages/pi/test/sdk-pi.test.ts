import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../../paneward/test/support/daemon.ts";
import { taskSessionName } from "../src/tasks/names.ts";
import { packInto, unpackInto } from "./support/packed.ts";
import { makePiHome } from "./support/pi-home.ts";
import { processesNaming } from "./support/processes.ts";
import { openSdkPi, textOf } from "./support/sdk-pi.ts";
import { taskScript, waitingFor } from "./support/task-script.ts";
import { until } from "./support/until.ts";

const call = (tool: string, args: object) => ({ tool, args });

test("pi as a library: a lease permits bash, a task's end starts a turn, an expired lease blocks again", async (t) => {
  const cleanups: (() => unknown)[] = [];
  const daemon = await startDaemon({ after: (work) => void cleanups.push(work) });
  const home = makePiHome(0);
  const installed = unpackInto(home.folder, packInto(home.folder));
  const { PANEWARD_SOCKET_PATH } = daemon.env;
  const inTeam = { PI_TEAM_ID: "demo", PI_AGENT_ID: "alone", HOME: daemon.folder, PANEWARD_SOCKET_PATH };
  Object.assign(process.env, home.env, inTeam);
  delete process.env.TMUX;
  // The team's folder is pi's working folder.
  process.chdir(home.project);
  const entries = ["tasks", "team"].map((name) => join(installed, "dist", `${name}.js`));
  const { session, loaded, plan } = await openSdkPi(home, entries);
  t.after(async () => {
    session.dispose();
    process.chdir("/");
    home.remove();
    for (const work of cleanups) await work();
  });
  assert.deepEqual(loaded.errors, []);
  for (const entry of entries) assert.ok(loaded.extensions.some(({ path }) => path === entry));
  const results = () => session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  const transcript = () => session.messages.map((message) => `${message.role}: ${textOf(message)}`).join("\n");
  const notifications = () => session.messages.filter(({ customType }) => customType === "tmux-task-event").map(textOf);

  const build = taskScript(installed, "build", waitingFor(home, "go", 3));
  plan(
    call("bash", { command: "touch refused.txt" }),
    call("team_tasks_create", { title: "All of it", resources: ["."] }),
    call("team_tasks_claim", { taskId: "task-0001" }),
    call("bash", { command: build }),
    call("write", { path: "held.txt", content: "x" }),
    "STARTED",
    "TOLD",
  );
  await session.prompt("build it");
  assert.match(transcript(), /assistant: STARTED$/);
  assert.match(results()[0] ?? "", /active lease required \(no_active_lease_for_path\)/);
  assert.match(results()[3] ?? "", /^task=build$/m);
  assert.deepEqual(
    ["refused.txt", "held.txt"].map((name) => existsSync(join(home.project, name))),
    [false, true],
  );
  waitingFor.go(home, "go");
  await until(
    () => `the end starts a turn:\n${transcript()}`,
    () => /assistant: TOLD$/.test(transcript()),
  );
  assert.equal(notifications().length, 1);
  assert.match(notifications()[0] ?? "", /\(build\) exited with code 3/);
  await session.waitForIdle();

  plan(call("team_tasks_renew", { taskId: "task-0001", epoch: 1, ttlMs: 1_000 }), "RESTS");
  await session.prompt("let it run out");
  await session.waitForIdle();
  assert.match(transcript(), /assistant: RESTS$/);
  await until("the lease has run out", async () => {
    const { tasks } = await daemon.client.team_tasks({ team: "demo" });
    return Date.parse(tasks[0]?.lease?.expiresAt ?? "") < Date.now();
  });
  plan(call("write", { path: "late.txt", content: "x" }), "REFUSED");
  await session.prompt("write once more");
  assert.match(results().at(-1) ?? "", /active lease required \(no_active_lease_for_path\)/);
  assert.equal(existsSync(join(home.project, "late.txt")), false);
  assert.equal(notifications().length, 1);

  const tasksSession = taskSessionName(home.project, session.sessionId);
  session.dispose();
  await until("the waiting shell is gone", () => processesNaming(`pi-tasks-${tasksSession}`).length === 0);
});
