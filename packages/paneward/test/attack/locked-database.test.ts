import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("while another process holds the database's lock, the daemon answers, knows what ends, and stores it later", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const gate = join(folder, "gate");
  const ends = ["sh", "-c", `until test -e ${gate}; do sleep 0.05; done; exit 7`];
  const { id: ending } = await client.run({ argv: ends, name: "ending" });
  const { id: lasting } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
  const { lastEvent } = await client.ping({});
  const other = new DatabaseSync(join(folder, "state", "paneward.db"));
  other.exec("BEGIN IMMEDIATE");
  const endOf = async (wanted: string) =>
    (await client.ps({ all: "true" })).terminals.find(({ id }) => id === wanted)?.end;

  await t.test("the end of a program is known at once", async () => {
    writeFileSync(gate, "");
    assert.deepEqual(await until("its end is known", () => endOf(ending)), { kind: "exited", code: 7 });
  });

  await t.test("what must be stored first is refused at once, again and again", async () => {
    const began = performance.now();
    for (let count = 0; count < 20; count++) {
      await assert.rejects(client.run({ argv: ["true"] }), { code: "storage_busy" });
    }
    const took = performance.now() - began;
    assert.ok(took < 2_000, `20 refusals took ${took} ms`);
  });

  await t.test("it is reported once, in the log of events, by doctor and by ps", async () => {
    const told = (await client.events({ after: lastEvent })).events.filter(({ type }) => type === "storage_changed");
    assert.deepEqual(
      told.map(({ data }) => (data as { readonly state: string }).state),
      ["busy"],
    );
    const check = (await client.doctor({})).checks.find(({ name }) => name === "database");
    assert.match(`${check?.ok} ${check?.detail}`, /^false .*in use by another process; \d+ changes wait in memory/);
    assert.match((await client.ps({})).storage ?? "", /another process holds the database/);
  });

  await t.test("a program can be stopped all the same", async () => {
    await client.stop({ id: lasting });
    assert.equal((await endOf(lasting))?.kind, "stopped");
  });

  await t.test("everything is stored when the lock is free, and survives a kill", async () => {
    other.exec("ROLLBACK");
    other.close();
    await until("it is stored", async () => (await client.ps({})).storage === undefined);
    await client.run({ argv: ["true"] });
    await daemon.kill("SIGKILL");
    await daemon.start();
    assert.deepEqual([(await endOf(ending))?.kind, (await endOf(lasting))?.kind], ["exited", "stopped"]);
  });
});
