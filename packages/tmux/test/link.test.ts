import assert from "node:assert/strict";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { snapshot } from "../src/pane.ts";
import { openPrivateServer } from "../src/server.ts";
import { openSession } from "../src/terminal.ts";
import { spawnTransport } from "../src/transport/spawn.ts";
import { shell } from "./contract/fixture.ts";
import { watched } from "./support/events.ts";
import { afterwards, temporaryFolder } from "./support/folder.ts";
import { endServer, here, hereSpawned, isAlive, plainEnv, privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

test("if control mode does not start, commands are spawned and the reason is shown until it works", async (t) => {
  const folder = await temporaryFolder(t);
  const tmux = join(folder, "tmux");
  const broken = join(folder, "broken");
  await writeFile(broken, "");
  const script = `#!/bin/sh\ncase " $* " in *" -C "*) [ -e ${broken} ] && { echo no control today >&2; exit 1; };; esac\nexec tmux "$@"\n`;
  await writeFile(tmux, script);
  await chmod(tmux, 0o755);
  const server = await openPrivateServer({ socketPath: join(folder, "private", "s"), host: { ...here.host, tmux } });
  afterwards(t, () => endServer(server));
  const status = server.status();
  assert.equal(status.transport, "spawn");
  assert.match(status.transport === "spawn" ? status.reason : "", /no control today/);
  const { first } = await watched(t, server, 50);
  const { pane } = await openSession(server, { name: "work", argv: shell("exit 7") });
  assert.deepEqual((await first("pane_died")).exit, { kind: "exited", code: 7 });
  await until("it tried again", () => {
    const now = server.status();
    return now.transport === "spawn" && now.attempts > 0;
  });
  await rm(broken);
  await until("control mode took over", () => server.status().transport === "control");
  assert.equal((await snapshot(server))[0]?.pane, pane);
});

test("the spawn transport never tries control mode", async (t) => {
  const { server } = await privateServer(t, hereSpawned);
  assert.deepEqual(server.status(), { transport: "spawn", reason: "control mode is switched off", attempts: 0 });
  assert.equal(server.controlPid(), undefined);
  assert.deepEqual(await server.run([["list-clients"]]), []);
});

test("commands sent together are answered in order, each with its own answer", async (t) => {
  const { server } = await privateServer(t);
  const asked = Array.from({ length: 2_000 }, (_, at) =>
    at % 7 === 3
      ? server
          .run([
            ["display-message", "-p", "x"],
            ["kill-session", "-t", "=nobody"],
            ["display-message", "-p", "y"],
          ])
          .catch((error) => error.type)
      : server.run([
          ["display-message", "-p", `${at}`],
          ["display-message", "-p", `minus ${at}`],
        ]),
  );
  for (const [at, answer] of (await Promise.all(asked)).entries()) {
    assert.deepEqual(answer, at % 7 === 3 ? "session_not_found" : [`${at}`, `minus ${at}`]);
  }
});

test("a process that ends without an answer leaves the outcome unknown", async () => {
  const lost = { type: "unknown", delivered: "maybe" };
  const host = (script: string) => ({ ...here.host, prefix: ["sh", "-c", script], env: plainEnv, patienceMs: 5_000 });
  const run = (script: string) => spawnTransport({ host: host(script), socketPath: "/nowhere" }).run([["x"]]);
  await assert.rejects(run("echo Connection to box closed >&2; exit 255"), { ...lost, message: /Connection to box/ });
  await assert.rejects(run("kill -9 $$"), lost);
  await assert.rejects(run("echo env: tmux: No such file >&2; exit 127"), {
    type: "tmux_not_installed",
    delivered: "no",
  });
  await assert.rejects(run("echo lost server >&2; exit 1"), { type: "server_lost" });
});

test("a prefix program that is missing is named", async () => {
  const host = { ...here.host, prefix: ["no-such-prefix"] };
  const opening = openPrivateServer({ host, socketPath: "/nowhere/s" });
  await assert.rejects(opening, { type: "subprocess_failed", message: /no-such-prefix.*not installed/ });
});

test("a link never talks to another server that took over its socket", async (t) => {
  const { server } = await privateServer(t);
  await spawnTransport(server)
    .run([["kill-server"]])
    .catch(() => {});
  await until("the loss was noticed", () => server.status().transport === "spawn");
  // A server that is shutting down drops new clients.
  await until("the server is gone", () => !isAlive(server.identity.pid));
  const second = await openPrivateServer({ socketPath: server.socketPath, host: here.host });
  afterwards(t, () => endServer(second));
  await until("the other server was recognised", () => {
    const status = server.status();
    return status.transport === "spawn" && /another tmux server/.test(status.reason);
  });
  await assert.rejects(snapshot(server), { type: "server_lost", delivered: "no" });
  assert.deepEqual(await snapshot(second), []);
});
