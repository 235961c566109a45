import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { snapshot } from "../src/pane.ts";
import { isSameServer, keeperSession, killServer, openPrivateServer } from "../src/server.ts";
import { openSession } from "../src/terminal.ts";
import { controlArgv } from "../src/transport/control.ts";
import { onHost } from "../src/transport/host.ts";
import { watchServer } from "../src/watch.ts";
import { sleeper } from "./contract/fixture.ts";
import { afterwards, temporaryFolder } from "./support/folder.ts";
import { endServer, here, isAlive, plainEnv, privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

test("opening one socket concurrently yields one server", async (t) => {
  const socketPath = join(await temporaryFolder(t), "private", "s");
  const servers = await Promise.all(
    Array.from({ length: 5 }, () => openPrivateServer({ socketPath, host: here.host })),
  );
  for (const server of servers) afterwards(t, () => endServer(server));
  assert.equal(new Set(servers.map(({ identity }) => identity.pid)).size, 1);
});

test("a server outlives its driver, and is reopened with its terminals", async (t) => {
  const { server } = await privateServer(t);
  const { pane } = await openSession(server, { name: "work", argv: sleeper });
  await server.close();
  const again = await openPrivateServer({ socketPath: server.socketPath, host: here.host });
  afterwards(t, () => endServer(again));
  assert.deepEqual(again.identity, server.identity);
  assert.equal(await isSameServer(server), true);
  assert.deepEqual(
    (await snapshot(again)).map((row) => row.pane),
    [pane],
  );
});

test("a new server on the same socket is not the same server", async (t) => {
  const { server } = await privateServer(t);
  await killServer(server);
  await until("it is gone", () => !isAlive(server.identity.pid));
  const next = await openPrivateServer({ socketPath: server.socketPath, host: here.host });
  afterwards(t, () => endServer(next));
  assert.equal(await isSameServer(server), false);
});

test("closing a driver and a watcher leaves no process behind", async (t) => {
  const { server } = await privateServer(t);
  for (let round = 0; round < 5; round++) {
    const watcher = await watchServer(server);
    await watcher.close();
  }
  await server.close();
  const clients = () => server.run([["list-clients", "-F", "#{client_pid}"]]);
  await until("no client is attached", async () => (await clients()).length === 0);
});

test("killing a server that is already gone is not an error", async (t) => {
  const { server } = await privateServer(t);
  await killServer(server);
  await killServer(server);
});

test("a server that a client keeps from shutting down, because its output is not read, makes room for the next", async (t) => {
  const { server } = await privateServer(t);
  const { file, args } = onHost(server.host, controlArgv(server, keeperSession));
  const left = spawn(file, args, { env: plainEnv, stdio: ["pipe", "pipe", "ignore"] });
  const hasEnded = new Promise((resolve) => left.once("exit", resolve));
  // More than its pipe holds; then the process that should have read it is gone.
  left.stdin.write("show-options -g\n".repeat(500));
  await until("it has printed something", () => left.stdout.readableLength > 0 || left.stdout.read(0) !== null);
  left.stdout.destroy();
  left.stdin.destroy();
  await killServer(server);
  const next = await openPrivateServer({ socketPath: server.socketPath, host: here.host });
  afterwards(t, () => endServer(next));
  assert.notEqual(next.identity.pid, server.identity.pid);
  await hasEnded;
});
