import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { lacksContainers, podman } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon } from "../support/daemon.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { modelAt } from "./support/model.ts";
import { containerWorkbench, hostConfig, run } from "./support/workbench.ts";

/** A prefix whose program hangs, with a child that holds its pipes open until released or the test is over. */
async function hangingPrefix(t: Cleanup) {
  const fifo = join(await temporaryFolder(t), "never");
  execFileSync("mkfifo", [fifo]);
  const release = () => {
    try {
      closeSync(openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // There is no reader left.
    }
  };
  afterwards(t, release);
  return { prefix: ["sh", "-c", 'cat "$0"; echo "no such machine" >&2; exit 1', fifo], release };
}

test("a host that never answers fails in time with a definite error, and other hosts keep working", async (t) => {
  const config = hostConfig("never", (await hangingPrefix(t)).prefix);
  const daemon = await startDaemon(t, `${config}\n[tmux_bridge]\nsubprocess_timeout = 0.5\n`);
  const there = modelAt("http", daemon, "never");
  const sent = there.isRefused("send", { command: "make" });
  const ran = daemon.client.run({ argv: ["true"], host: "never" }).catch((error: unknown) => error);
  const here = modelAt("http", daemon);
  await here.does("send", { command: "echo he''re" });
  assert.equal((await here.does("wait", { pattern: "here$" })).reason, "pattern");

  const { error, suggestion } = await sent;
  assert.equal(error, 'cannot connect to host "never": no answer within 1500 ms; nothing was done there');
  assert.match(suggestion, /^try it by hand: sh -c .* true$/);
  const refused = await ran;
  assert.ok(refused instanceof PanewardError && refused.code === "unavailable", String(refused));
  const { hosts } = await daemon.client.hosts({});
  assert.deepEqual(
    hosts.map(({ name, state, reason }) => [name, state, reason]),
    [
      ["local", "connected", undefined],
      ["never", "unavailable", error],
    ],
  );
});

test("the list of hosts does not wait for a connecting host, and later shows why it failed", async (t) => {
  const { prefix, release } = await hangingPrefix(t);
  const daemon = await startDaemon(t, `${hostConfig("slow", prefix)}\n[tmux_bridge]\nsubprocess_timeout = 600\n`);
  const slow = async () => (await daemon.client.hosts({})).hosts.find(({ name }) => name === "slow");
  const refused = modelAt("http", daemon, "slow").isRefused("init");
  const seen = await until("it is connected to", async () => (await slow())?.state === "connecting" && slow());
  assert.match(seen.reason ?? "", /^connecting for \d+ s$/);
  const shown = await paneward(["hosts"], { env: daemon.env });
  assert.match(shown.stdout, /^slow +connecting +connecting for \d+ s /m);
  release();
  assert.match((await refused).error, /no such machine/);
  const { state, reason } = (await slow()) ?? {};
  assert.equal(state, "unavailable");
  assert.match(reason ?? "", /no such machine/);
});

suiteThatNeeds("a paused container", lacksContainers(), () => {
  test("fails in time, and works again when unpaused; other hosts keep working", async (t) => {
    const { model, daemon, container } = await containerWorkbench(t, "http");
    await model.does("init");
    await model.does("read");
    await run(...podman, "pause", container);
    afterwards(t, async () => {
      await run(...podman, "unpause", container).catch(() => "");
    });
    const inTime = /did not answer|no answer within|Sandbox container not running/;
    const [listed, read] = await Promise.all([model.isRefused("list"), model.isRefused("read")]);
    for (const { error, suggestion } of [listed, read]) {
      assert.match(error, inTime);
      assert.match(
        suggestion,
        /^<capability name="tmux" action="list" host="box" \/>$|^try it by hand: |^Start container/,
      );
      assert.doesNotMatch(error, /may/);
    }
    assert.match((await model.isRefused("send", { command: "echo on" })).error, inTime);
    const box = (await daemon.client.hosts({})).hosts.find(({ name }) => name === "box");
    assert.notEqual(box?.state, "connected");
    assert.notEqual(box?.reason ?? "", "");
    await modelAt("http", daemon).does("init");
    await run(...podman, "unpause", container);
    await until("it works again", async () => {
      const [result] = await model.says('<capability name="tmux" action="list" host="box" />');
      return result?.success;
    });
  });
});
