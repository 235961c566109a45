import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksContainers, podman, startContainer } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { modelAt } from "./support/model.ts";
import { containerWorkbench, hostConfig, run } from "./support/workbench.ts";

const sentence = "Sandbox container not running";

suiteThatNeeds("a container as a host", lacksContainers(), () => {
  test("plain tmux in the container sees the session, which starts in /workspace if there is one", async (t) => {
    const { host } = await startContainer(t);
    await run(...host.prefix, "mkdir", "/workspace");
    const daemon = await startDaemon(t, `${hostConfig("box", host.prefix)}\n[capability]\nhost = "box"\n`);
    const model = modelAt("http", daemon);
    await model.does("init");
    const tmux = (...args: readonly string[]) => run(...host.prefix, "tmux", ...args);
    assert.equal(await tmux("display-message", "-p", "-t", "=artie:0.0", "#{pane_current_path}"), "/workspace");
    await tmux("send-keys", "-t", "artie:0.0", "echo from-outside-$((1+1))", "Enter");
    await until("what plain tmux typed is read", async () =>
      (await model.does("read")).output.includes("from-outside-2"),
    );
    const [window] = (await model.does("list")).windows;
    assert.equal(window.panes[0].cwd, "/workspace");
  });

  test("it works for a user without privileges and without a home", async (t) => {
    const { host } = await startContainer(t);
    await run(...host.prefix, "sh", "-c", "chmod 755 /; chmod 1777 /tmp; install -d -o 1000 -g 1000 /workspace");
    const prefix = [...host.prefix.slice(0, -1), "--user", "1000:1000", ...host.prefix.slice(-1)];
    const daemon = await startDaemon(t, hostConfig("box", prefix));
    const model = modelAt("http", daemon, "box");
    await model.does("send", { command: "id -u; pwd" });
    assert.equal((await model.does("wait", { pattern: "^1000$[^]*^/workspace$" })).reason, "pattern");
    assert.match(await run(...prefix, "tmux", "list-sessions"), /^artie: 1 windows/m);
    assert.match((await daemon.client.hosts({})).hosts[1]?.socket ?? "", /^\/tmp\/tmux-1000\/default$/);
  });

  test("an existing session of plain tmux is used as it is", async (t) => {
    const { host } = await startContainer(t);
    await run(...host.prefix, "tmux", "new-session", "-d", "-s", "artie", "-n", "workspace", "-c", "/tmp");
    const daemon = await startDaemon(t, hostConfig("box", host.prefix));
    const model = modelAt("http", daemon, "box");
    const expected = { session: "artie", windows: [{ id: 0, name: "workspace", panes: 1 }], active_pane: "0.0" };
    assert.deepEqual(await model.does("init"), expected);
    await model.does("send", { command: "pwd" });
    assert.equal((await model.does("wait", { pattern: "^/tmp$" })).reason, "pattern");
  });

  test("a stopped one fails with the documented message, and works again once started", async (t) => {
    const { model, daemon, container } = await containerWorkbench(t, "http");
    await model.does("init");
    await run(...podman, "stop", "-t", "0", container);
    await until("the error is reported", async () => {
      const [result] = await model.says('<capability name="tmux" action="list" host="box" />');
      return result?.success === false && result.error.startsWith(sentence);
    });
    const error = `${sentence}: ${container} of host "box"`;
    const suggestion = `Start container: ${[...podman, "start", container].join(" ")}`;
    const notRunning = { success: false, error, suggestion };
    for (const action of ["init", "send", "read", "list"]) {
      assert.deepEqual(await model.isRefused(action, action === "send" ? { command: "x" } : {}), notRunning);
    }
    // While podman takes longer than a second to refuse, the host counts as silent.
    const box = await until("hosts reports it as unavailable", async () => {
      const { stdout } = await paneward(["hosts", "--json"], { env: daemon.env });
      const [, listed] = JSON.parse(stdout).hosts;
      return listed.state === "unavailable" && listed;
    });
    assert.equal(box.name, "box");
    assert.equal(box.reason, error);
    await run(...podman, "start", container);
    await until("it works again", async () => {
      const [result] = await model.says('<capability name="tmux" action="init" host="box" />');
      return result?.success;
    });
  });

  test("a missing one fails with the same message", async (t) => {
    const { host } = await startContainer(t);
    const prefix = [...host.prefix.slice(0, -1), "paneward-test-no-such-box"];
    const daemon = await startDaemon(t, hostConfig("box", prefix));
    assert.deepEqual(await modelAt("http", daemon, "box").isRefused("init"), {
      success: false,
      error: `${sentence}: paneward-test-no-such-box of host "box"`,
      suggestion: "Start container: docker-compose up -d sandbox",
    });
  });

  test("runs programs with its own home, environment and journals; hosts reports state and latency", async (t) => {
    const { host } = await startContainer(t);
    const daemon = await startDaemon(t, hostConfig("box", host.prefix));
    const { client } = daemon;
    const before = await client.hosts({});
    assert.deepEqual(
      before.hosts.map(({ name, state }) => [name, state]),
      [
        ["local", "connected"],
        ["box", "not_used"],
      ],
    );
    const command = 'echo "home=$HOME state=$PANEWARD_HOME"; pwd; sleep 1000';
    const { id } = await client.run({ argv: ["sh", "-c", command], host: "box", name: "there" });
    const output = await until("it prints", async () => {
      const read = await client.read({ id });
      return read.output.includes("home=") && read.output.split("\n").length > 2 && read.output;
    });
    assert.match(output, /^home=\/\S* state=$/m);
    assert.ok(!output.includes(daemon.folder), output);
    await client.send({ id, text: "x" });
    assert.ok((await client.screen({ id })).lines.length > 0);
    await client.stop({ id });
    const { hosts } = await client.hosts({});
    assert.equal(hosts[1]?.state, "connected");
    assert.ok(hosts.every(({ latency_ms: latency }) => latency !== undefined && latency > 0));
    assert.match(hosts[1]?.socket ?? "", /^\/tmp\/tmux-0\/default$/);
    const shown = await paneward(["hosts"], { env: daemon.env });
    assert.match(shown.stdout, /HOST.*STATE.*LATENCY/);
    assert.match(shown.stdout, /box +connected +\d+(\.\d+)? ms/);
  });
});

test("a host that is not configured is refused with a call that works", async (t) => {
  const daemon = await startDaemon(t, hostConfig("sandbox", ["false"]));
  for (const [name, meant] of [
    ["nowhere", "local"],
    ["sandbax", "sandbox"],
  ] as const) {
    for (const action of ["list", "send"]) {
      const params = action === "send" ? { command: "true" } : {};
      const { error, suggestion } = await modelAt("http", daemon, name).isRefused(action, params);
      assert.equal(error, `There is no host '${name}'; there are local, sandbox`);
      assert.equal(suggestion, `<capability name="tmux" action="list" host="${meant}" />`);
    }
  }
  const { code, stdout } = await paneward(["capability", '<capability name="tmux" action="list" host="nowhere" />'], {
    env: daemon.env,
  });
  assert.equal(code, 3);
  const [result] = await modelAt("http", daemon).says(JSON.parse(stdout).suggestion);
  assert.ok(result?.success, stdout);
});
