import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openPrivateServer } from "../src/server.ts";
import { type Cleanup, temporaryFolder } from "./support/folder.ts";
import { here, privateServer } from "./support/place.ts";

/** A launcher that writes down what it was asked for, and passes a variable on to what it starts. */
async function launchers(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const log = join(folder, "log");
  const made = (name: string, last: string) => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $1" >>${log}\n${last}\n`);
    chmodSync(path, 0o755);
    return [path, "--scope"];
  };
  return {
    works: made("works", 'shift; export LAUNCHED=here; exec "$@"'),
    fails: made("fails", "echo 'Failed to connect to bus' >&2; exit 1"),
    missing: [join(folder, "missing"), "--scope"],
    asked: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");

test("a new server is started through the first launcher that runs it; one that runs needs none", async (t) => {
  const { works, fails, missing, asked } = await launchers(t);
  const { server } = await privateServer(t, here, { launchers: [missing, fails, works, fails] });
  assert.deepEqual(asked(), ["fails --scope", "works --scope"]);
  assert.ok(environmentOf(server.identity.pid).includes("LAUNCHED=here"));
  const again = await openPrivateServer({ socketPath: server.socketPath, host: here.host, launchers: [works] });
  assert.equal(again.identity.pid, server.identity.pid);
  await again.close();
  assert.equal(asked().length, 2);
});

test("where no launcher runs it, tmux starts its server itself", async (t) => {
  const { fails, missing, asked } = await launchers(t);
  const { server } = await privateServer(t, here, { launchers: [fails, missing] });
  assert.deepEqual(asked(), ["fails --scope"]);
  assert.ok(server.identity.pid > 0);
});

test("what tmux refuses in a launcher is not tried again without it", async (t) => {
  const { works, asked } = await launchers(t);
  const socketPath = join(await temporaryFolder(t), "s");
  const options = { socketPath, host: here.host, launchers: [works, works], options: { "mode-keys": "neither" } };
  await assert.rejects(openPrivateServer(options), /unknown value: neither/);
  assert.deepEqual(asked(), ["works --scope"]);
});
