import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

/** Journals older than the records may belong to lost ones. */
function beganLongAgo({ env }: TestDaemon): void {
  const database = new DatabaseSync(join(env.PANEWARD_HOME ?? "", "paneward.db"));
  database.exec("UPDATE counters SET value = 0 WHERE name = 'began'");
  database.close();
}

test("journals that belong to no terminal are removed after a day, not before", async (t) => {
  const daemon = await startDaemon(t);
  const { id } = await daemon.client.run({ argv: ["sleep", "100"] });
  await daemon.kill("SIGTERM");
  const journals = join(daemon.env.PANEWARD_HOME ?? "", "journals");
  const [old, fresh, known] = ["t98", "t99", id].map((name) => join(journals, name));
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const folder of [old, fresh]) mkdirSync(folder ?? "");
  for (const folder of [old, known]) utimesSync(folder ?? "", yesterday, yesterday);
  beganLongAgo(daemon);
  await daemon.start();
  await until("the old one to go", () => !existsSync(old ?? ""));
  assert.deepEqual([existsSync(fresh ?? ""), existsSync(known ?? "")], [true, true]);
});

test("journals on another host are removed while it is connected, and a host that is not is left alone", async (t) => {
  const far = await temporaryFolder(t);
  const box = ["env", `HOME=${far}`, `TMUX_TMPDIR=${far}`, `XDG_STATE_HOME=${far}/state`];
  const asleep = ["sh", "-c", `touch ${far}/woken; exit 1`];
  const hosts = Object.entries({ box, asleep }).map(
    ([name, prefix]) => `[hosts.${name}]\nprefix = ${JSON.stringify(prefix)}\nquoting = "argv"\n`,
  );
  const daemon = await startDaemon(t, hosts.join(""));
  afterwards(t, () => {
    execFileSync("sh", ["-c", `${box.join(" ")} tmux kill-server || true`], { stdio: "ignore" });
  });
  const { id } = await daemon.client.run({ argv: ["sleep", "100"], host: "box" });
  await daemon.kill("SIGTERM");
  const [known = ""] = globSync(`${far}/state/**/journals/${id}`);
  const [old, fresh] = ["t98", "t99"].map((name) => join(dirname(known), name));
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const folder of [old, fresh]) mkdirSync(folder ?? "");
  for (const folder of [old, known]) utimesSync(folder ?? "", yesterday, yesterday);
  beganLongAgo(daemon);
  await daemon.start();
  await until("the old one to go", () => !existsSync(old ?? ""));
  assert.deepEqual([existsSync(fresh ?? ""), existsSync(known)], [true, true]);
  const { hosts: now } = await daemon.client.hosts({});
  assert.deepEqual(
    now.map(({ name, state }) => [name, state]),
    [
      ["local", "connected"],
      ["box", "connected"],
      ["asleep", "not_used"],
    ],
  );
  assert.equal(existsSync(`${far}/woken`), false);
});

test("events over the limit are trimmed, and a reader of older events gets a gap", async (t) => {
  const daemon = await startDaemon(t, "[daemon]\nevent_retention = 5\n");
  for (let at = 0; at < 20; at++) await daemon.client.refresh({ reason: `change ${at}` });
  await daemon.kill("SIGTERM");
  await daemon.start();
  const { newest } = await until("the trimming", async () => {
    const { events, gap } = await daemon.client.events({ after: 0 });
    return gap && { newest: events.at(-1)?.seq ?? 0 };
  });
  const { gap, events } = await daemon.client.events({ after: 0 });
  assert.equal(gap?.before, (events[0]?.seq ?? 0) - 1);
  assert.ok(newest >= 20);
});

test("sockets, state and folders are for their owner only", async (t) => {
  const { env } = await startDaemon(t);
  const mode = (path: string) => statSync(path).mode & 0o777;
  assert.equal(mode(env.PANEWARD_SOCKET_PATH ?? ""), 0o600);
  assert.equal(mode(dirname(env.PANEWARD_SOCKET_PATH ?? "")), 0o700);
  assert.equal(mode(dirname(env.PANEWARD_TMUX_SOCKET_PATH ?? "")), 0o700);
  assert.equal(mode(env.PANEWARD_HOME ?? ""), 0o700);
  assert.equal(mode(join(env.PANEWARD_HOME ?? "", "paneward.db")), 0o600);
});

test("doctor says what is there, where the log is and what is missing", async (t) => {
  const daemon = await startDaemon(t, 'agnet = "x"\n');
  const { checks } = await daemon.client.doctor({});
  const check = (name: string) => checks.find((one) => one.name === name);
  assert.match(check("tmux")?.detail ?? "", /^tmux 3/);
  assert.equal(check("daemon socket")?.ok, true);
  assert.equal(check("http")?.detail, `http://127.0.0.1:${daemon.port}`);
  assert.equal(check("log")?.detail, join(daemon.env.PANEWARD_HOME ?? "", "daemon.log"));
  assert.match(check("configuration")?.detail ?? "", /unknown key agnet/);
});

test("metrics count terminals and requests", async (t) => {
  const daemon = await startDaemon(t);
  await daemon.client.run({ argv: ["sleep", "100"] });
  const { token } = await daemon.client.token_create({ scope: "read" });
  const answer = await fetch(`http://127.0.0.1:${daemon.port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.match(await answer.text(), /paneward_terminals_running 1\n/);
});

test("a programme's environment holds what was named and nothing of the daemon's own", async (t) => {
  const daemon = await startDaemon(t);
  const { id } = await daemon.client.run({ argv: ["env"], env: { MINE: "yes; 'no'" } });
  await daemon.client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 60 });
  const names = (await daemon.client.read({ id })).output.split("\n").map((line) => line.split("=")[0]);
  assert.ok(names.includes("MINE") && names.includes("PANEWARD_TERMINAL"));
  assert.deepEqual(
    names.filter(
      (name) => name?.startsWith("NODE") || name?.startsWith("PANEWARD_HOME") || name === "GIT_CONFIG_NOSYSTEM",
    ),
    [],
  );
});
