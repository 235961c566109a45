import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

// A file-size limit of one byte makes every write of the daemon fail, as a full disk does, and can be lifted again. It
// needs no rights and no mount. `full-disk.attack.ts` does the same on a real small file system.
const setLimit = ({ pid }: TestDaemon, bytes: number | "unlimited") =>
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);

test("a daemon without room for a single byte keeps running, and stores what happened when there is room", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const gate = join(daemon.folder, "gate");
  const waiting = ["sh", "-c", `until test -e ${gate}; do sleep 0.05; done; exit 7`];
  const { id: ending } = await client.run({ argv: waiting, name: "ending" });
  const { id: lasting } = await client.run({ argv: ["sleep", "600"], name: "lasting" });
  const { newest } = { newest: (await client.ping({})).lastEvent };
  setLimit(daemon, 1);

  await t.test("a program that ends does not end the daemon, and its end is known", async () => {
    execFileSync("touch", [gate]);
    const { end } = await until("its end is known", async () => {
      const { terminals } = await client.ps({ all: "true" });
      return terminals.find(({ id, end }) => id === ending && end);
    });
    assert.deepEqual(end, { kind: "exited", code: 7 });
  });

  await t.test("it is reported once, in the log of events and by doctor", async () => {
    const told = (await client.events({ after: newest })).events.filter(({ type }) => type === "storage_changed");
    assert.equal(told.length, 1);
    const check = (await client.doctor({})).checks.find(({ name }) => name === "database");
    assert.equal(check?.ok, false);
    assert.match(check?.detail ?? "", /no room.*wait in memory/);
    assert.match((await client.ps({})).storage ?? "", /no room on the disk/);
  });

  await t.test("what must be stored first is refused with a code and a hint", async () => {
    const refused = { code: "storage_full", hint: /disk space/ };
    await assert.rejects(client.run({ argv: ["true"] }), refused);
    await assert.rejects(client.send({ id: lasting, text: "hello" }), refused);
    await assert.rejects(client.token_create({ scope: "read", name: "x" }), refused);
  });

  await t.test("a program can be read and stopped all the same", async () => {
    await client.read({ id: lasting });
    await client.stop({ id: lasting });
    const { terminals } = await client.ps({ all: "true" });
    assert.equal(terminals.find(({ id }) => id === lasting)?.end?.kind, "stopped");
  });

  await t.test("what was kept in memory is stored when there is room, and survives a kill", async () => {
    setLimit(daemon, "unlimited");
    await until("there is room again", async () =>
      (await client.doctor({})).checks.some(({ name, ok }) => name === "database" && ok),
    );
    await daemon.kill("SIGKILL");
    await daemon.start();
    const { terminals } = await client.ps({ all: "true" });
    assert.deepEqual(terminals.find(({ id }) => id === ending)?.end, { kind: "exited", code: 7 });
    assert.equal(terminals.find(({ id }) => id === lasting)?.end?.kind, "stopped");
    const { events } = await client.events({ after: newest });
    const states = events.flatMap((event) =>
      event.type === "storage_changed" ? [Reflect.get(event.data as object, "state")] : [],
    );
    assert.deepEqual(states, ["full", "ok"]);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, at) => newest + 1 + at),
      "event numbers have no gap",
    );
    assert.ok(existsSync(join(daemon.folder, "state", "paneward.db")));
  });
});
