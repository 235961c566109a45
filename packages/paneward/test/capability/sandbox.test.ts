import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeConfig } from "@paneward/sdk/config";
import { parse } from "smol-toml";
import { lacksContainers } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { startDaemon } from "../support/daemon.ts";
import { modelAt } from "./support/model.ts";
import { sandboxFile, sandboxService, startSandbox } from "./support/sandbox.ts";
import { hostConfig, run } from "./support/workbench.ts";

test("the compose file has exactly the documented settings", () => {
  assert.deepEqual(sandboxService(), {
    build: { context: ".", dockerfile: "Containerfile" },
    container_name: "coachartie-sandbox",
    hostname: "artie-laptop",
    init: true,
    restart: "unless-stopped",
    network_mode: "none",
    security_opt: ["no-new-privileges:true"],
    cap_drop: ["ALL"],
    mem_limit: "512m",
    cpus: 1,
    pids_limit: 256,
    volumes: ["workspace:/workspace", "home:/home/artie"],
  });
});

test("the sandbox's configuration parses without warnings and names the compose file's container", () => {
  const { config, warnings } = mergeConfig([{ name: "config.toml", value: parse(sandboxFile("config.toml")) }]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(config.hosts.sandbox?.prefix, ["docker", "exec", "-i", sandboxService().container_name]);
  assert.equal(config.capability.host, "sandbox");
});

suiteThatNeeds("the sandbox, built and run", lacksContainers(), () => {
  test("a model can work in it, without privileges or network and within its limits", async (t) => {
    const { prefix } = await startSandbox(t);
    const daemon = await startDaemon(t, `${hostConfig("sandbox", prefix)}\n[capability]\nhost = "sandbox"\n`);
    const model = modelAt("http", daemon);
    await model.does("init");
    await model.does("send", { command: "id -un; hostname; pwd; grep -E 'NoNewPrivs|CapBnd' /proc/self/status" });
    const seen = await model.does("wait", { pattern: "NoNewPrivs:\\s+1" });
    assert.equal(seen.reason, "pattern");
    const { output } = await model.does("read");
    assert.match(output, /artie\nartie-laptop\n\/workspace\nCapBnd:\s+0+\nNoNewPrivs:\s+1$/m);
    const { pane } = await model.does("split", { direction: "horizontal", title: "second" });
    const [window] = (await model.does("list")).windows;
    assert.deepEqual(
      window.panes.map(({ cwd }: { cwd: string }) => cwd),
      ["/workspace", "/workspace"],
    );
    await model.does("kill", { pane });
    // Also of a session that a person opens with plain tmux.
    await run(...prefix, "tmux", "new-session", "-d", "-s", "plain");
    for (const session of ["artie", "plain"]) {
      const shown = run(
        ...prefix,
        "tmux",
        "display-message",
        "-p",
        "-t",
        `=${session}:`,
        "#{status-style} #{history_limit}",
      );
      assert.equal(await shown, "bg=blue,fg=white 10000", session);
    }
    await run(...prefix, "tmux", "kill-session", "-t", "=plain");
    assert.match(await run(...prefix, "tmux", "list-sessions"), /^artie: 1 windows/m);

    assert.equal(await run(...prefix, "ls", "/sys/class/net"), "lo");
    const engine = prefix.slice(0, prefix.indexOf("exec"));
    const format = "{{.Memory}} {{.NanoCpus}} {{.PidsLimit}} {{.NetworkMode}} {{.SecurityOpt}}";
    const inspect = [...engine, "inspect", "--format", `{{with .HostConfig}}${format}{{end}}`, prefix.at(-1) ?? ""];
    assert.equal(await run(...inspect), "536870912 1000000000 256 none [no-new-privileges]");
  });
});
