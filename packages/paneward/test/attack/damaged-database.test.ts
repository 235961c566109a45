import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { backUp } from "../../src/store/backups.ts";
import { paneward } from "../cli/support/cli.ts";
import { daemonSandbox } from "../cli/support/own-daemon.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

describe("a database that cannot be used", { concurrency: true }, () => {
  test("says what is wrong and what helps, ends no program, and is restored", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const state = join(folder, "state");
    const database = join(state, "paneward.db");
    const cli = (...argv: readonly string[]) => paneward(argv, { env });
    assert.equal((await cli("run", "--name", "before", "--", "sleep", "600")).code, 0);
    await backUp(database);
    assert.equal((await cli("run", "--name", "after", "--", "sleep", "600")).code, 0);
    const refused = await cli("doctor", "--repair", "--yes");
    assert.deepEqual([refused.code, /daemon stop/.test(refused.stderr)], [6, true], "while the daemon runs");
    assert.equal((await cli("daemon", "stop")).code, 0);

    const good = await cli("doctor", "--repair");
    assert.deepEqual([good.code, good.stdout], [0, "the database is good; there is nothing to repair\n"]);

    writeFileSync(database, "no database at all ".repeat(1_000));
    const ps = await cli("ps");
    assert.match(ps.stderr, /could not be started: the database is damaged.*\nhint: `paneward doctor --repair`/);
    assert.equal(ps.code, 8);
    assert.equal((await cli("daemon", "run")).code, 8);

    const checked = await cli("doctor");
    assert.match(
      checked.stdout,
      /^wrong +daemon .*damaged[\s\S]*^ok +git [\s\S]*^wrong +database +.*damaged.*\n.*--repair/m,
    );
    assert.equal(checked.code, 1);

    const asked = await cli("doctor", "--repair");
    assert.deepEqual([asked.code, /--yes/.test(asked.stderr)], [2, true], "it needs a confirmation");
    assert.match(asked.stderr, /the current file would be kept as/);
    assert.doesNotMatch(asked.stderr, /is kept as/);
    assert.equal(readdirSync(state).filter((name) => name.includes("aside")).length, 0);
    const repaired = await cli("doctor", "--repair", "--yes");
    assert.equal(repaired.code, 0, repaired.stderr);
    assert.match(repaired.stderr, /damaged[\s\S]*lost: everything since that backup[\s\S]*is kept as .*aside/);
    assert.equal(readdirSync(state).filter((name) => name.includes("aside")).length, 1);

    const { terminals } = JSON.parse((await cli("ps", "--json")).stdout);
    assert.deepEqual(
      terminals.map((one: { name: string; end?: object }) => [one.name, one.end]),
      [
        ["before", undefined],
        ["after", undefined],
      ],
      "also the one that the backup does not know runs",
    );
  });

  test("of a newer version has a message and an exit code of its own", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const cli = (...argv: readonly string[]) => paneward(argv, { env });
    assert.equal((await cli("daemon", "start")).code, 0);
    assert.equal((await cli("daemon", "stop")).code, 0);
    const newer = new DatabaseSync(join(folder, "state", "paneward.db"));
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    for (const argv of [["ps"], ["daemon", "run"], ["doctor", "--repair", "--yes"]]) {
      const { stderr, code } = await cli(...argv);
      assert.deepEqual([code, /newer Paneward/.test(stderr), /already running/.test(stderr)], [9, true, false]);
    }
    const { stdout, code } = await cli("doctor");
    assert.match(stdout, /^wrong +daemon .*newer Paneward[\s\S]*^wrong +database .*newer Paneward/m);
    assert.equal(code, 1);
    assert.equal((await cli("doctor", "--repair", "--downgrade", "--yes")).code, 9, "nothing to go back to");
  });
});

test("a database that is removed or replaced while the daemon runs is put back, with everything", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const database = join(daemon.folder, "state", "paneward.db");
  const { id } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
  const replaced = async (times: number) =>
    (await client.events({ after: 0 })).events.filter(
      ({ type, data }) => type === "storage_changed" && Reflect.get(data as object, "state") === "replaced",
    ).length >= times;
  for (const side of ["", "-wal", "-shm"]) rmSync(`${database}${side}`, { force: true });
  await until("it is written again", () => replaced(1));
  const other = join(daemon.folder, "other.db");
  new DatabaseSync(other).close();
  writeFileSync(other, "theirs");
  renameSync(other, database);
  await until("it is written again", () => replaced(2));
  assert.ok(existsSync(database));
  const { id: token } = await client.token_create({ scope: "read", name: "x" });
  await daemon.kill("SIGKILL");
  await daemon.start();
  assert.ok((await client.token_list({})).tokens.some((one) => one.id === token));
  assert.equal((await client.ps({})).terminals.find((one) => one.id === id)?.end, undefined);
  const aside = readdirSync(join(daemon.folder, "state")).filter((name) => name.includes("aside"));
  assert.equal(aside.length, 1, "what was put there is kept");
});

for (const [what, spoil] of [
  ["removed", (log: string) => rmSync(log)],
  ["replaced", (log: string) => renameSync(`${log}.theirs`, log)],
  ["emptied", (log: string) => truncateSync(log)],
] as const) {
  test(`what is only in the database's log is not lost if that is ${what} while the daemon runs`, async (t) => {
    const daemon = await startDaemon(t);
    const { client } = daemon;
    const log = join(daemon.folder, "state", "paneward.db-wal");
    const { id } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
    const { id: token } = await client.token_create({ scope: "read", name: "x" });
    writeFileSync(`${log}.theirs`, "theirs");
    spoil(log);
    await until("it is written again", async () =>
      (await client.events({ after: 0 })).events.some(
        ({ type, data }) => type === "storage_changed" && Reflect.get(data as object, "state") === "replaced",
      ),
    );
    await client.token_create({ scope: "read", name: "later" });
    await daemon.kill("SIGKILL");
    await daemon.start();
    const { tokens } = await client.token_list({});
    assert.ok(tokens.some((one) => one.id === token));
    assert.ok(tokens.some(({ name }) => name === "later"));
    const found = (await client.ps({})).terminals.find((one) => one.id === id);
    assert.deepEqual(found?.argv, ["sleep", "600"]);
  });
}

test("a daemon that ends with its database's shared memory has lost nothing, and the next one says that it ended", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const { id } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
  const { id: token } = await client.token_create({ scope: "read", name: "x" });
  truncateSync(join(daemon.folder, "state", "paneward.db-shm"));
  // The kernel ends a process that reads beyond the end of a file that it has mapped. SQLite does so with the next query.
  await client.token_list({}).catch(() => {});
  await daemon.kill("SIGKILL");
  await daemon.start();
  assert.ok((await client.token_list({})).tokens.some((one) => one.id === token));
  assert.deepEqual((await client.ps({})).terminals.find((one) => one.id === id)?.argv, ["sleep", "600"]);
  assert.match(readFileSync(join(daemon.folder, "state", "daemon.log"), "utf8"), /did not stop by itself/);
});

test("a database that is emptied in place while the daemon runs is put back, or ps, doctor and the log say that it is lost", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const database = join(daemon.folder, "state", "paneward.db");
  const { id } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
  writeFileSync(database, "");
  await until("it is written again", async () =>
    (await client.events({ after: 0 })).events.some(
      ({ type, data }) => type === "storage_changed" && Reflect.get(data as object, "state") === "replaced",
    ),
  );
  const checkOf = async () => (await client.doctor({})).checks.find(({ name }) => name === "database");
  assert.equal((await checkOf())?.ok, true);
  await daemon.kill("SIGTERM");
  await daemon.start();
  assert.equal((await client.ps({})).terminals.find((one) => one.id === id)?.end, undefined);

  // What was written before the start is only in the file.
  writeFileSync(database, "");
  const check = await until("it is noticed", async () => {
    const found = await checkOf();
    return found?.ok === false ? found : undefined;
  });
  assert.match(check.detail, /is damaged/);
  assert.match(check.hint ?? "", /doctor --repair/);
  assert.match((await client.ps({})).storage ?? "", /the database is damaged/);
  await until("the log says it", () =>
    readFileSync(join(daemon.folder, "state", "daemon.log"), "utf8").includes("cannot be written again"),
  );
  assert.equal(
    (await client.ps({})).terminals.find((one) => one.id === id)?.end,
    undefined,
    "what is known stays known",
  );
});
