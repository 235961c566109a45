import assert from "node:assert/strict";
import { test } from "node:test";
import { configTable, defaultConfig, mergeConfig } from "./config.ts";

test("without files the defaults apply", () => {
  assert.deepEqual(mergeConfig([]), { config: defaultConfig, warnings: [] });
});

test("the project's file overrides the user's, which overrides the defaults", () => {
  const { config, warnings } = mergeConfig([
    { name: "user", value: { agent: "codex", web: { port: 1 }, agents: { mine: { cmd: ["a"] } } } },
    { name: "project", value: { agent: "pi", agents: { other: { cmd: ["b", "c"] } } } },
  ]);
  assert.deepEqual(warnings, []);
  assert.equal(config.agent, "pi");
  assert.equal(config.web.port, 1);
  assert.deepEqual(config.agents, { mine: { cmd: ["a"] }, other: { cmd: ["b", "c"] } });
});

test("of a repository's file, only its agents and its preparation count; the rest is named and left out", () => {
  const value = {
    agent: "codex",
    agents: { a: { cmd: ["x"] } },
    bootstrap: { cmd: "make" },
    daemon: { socket_path: "/theirs", journal_max_mb: 9 },
    web: { port: 1, origins: ["https://theirs.example"], funnel: true },
    git: { filters: ["lfs"] },
    hosts: { box: { prefix: ["sh"] } },
    tmux_bridge: {},
    nonsense: 1,
  };
  const { config, warnings } = mergeConfig([
    { name: "user", value: { web: { port: 7 } } },
    { name: "theirs", value, ofRepository: true },
  ]);
  assert.deepEqual([config.agent, config.agents, config.bootstrap.cmd], ["codex", { a: { cmd: ["x"] } }, "make"]);
  const { daemon, git, hosts, tmux_bridge: bridge } = defaultConfig;
  assert.deepEqual(
    [config.daemon, config.web, config.git, config.hosts],
    [daemon, { ...defaultConfig.web, port: 7 }, git, hosts],
  );
  assert.deepEqual(config.tmux_bridge, bridge);
  const ignored = ["daemon.socket_path", "daemon.journal_max_mb", "web.port"];
  const more = ["web.origins", "web.funnel", "git.filters", "hosts.box.prefix", "tmux_bridge"];
  assert.deepEqual(warnings, [
    ...[...ignored, ...more].map((path) => `theirs: ${path} is ignored here: only your own file sets it`),
    "theirs: unknown key nonsense",
  ]);
});

test("lists of files to copy are merged", () => {
  const { config } = mergeConfig([
    { name: "user", value: { bootstrap: { include: [".env"], exclude: ["*.log"] } } },
    { name: "project", value: { bootstrap: { include: ["certs/*"] } } },
  ]);
  assert.deepEqual(config.bootstrap, { include: [".env", "certs/*"], exclude: ["*.log"] });
});

test("unknown keys and wrong types warn, and the rest of the file still applies", () => {
  const { config, warnings } = mergeConfig([
    {
      name: "f",
      value: {
        agnet: "x",
        agent: 5,
        web: { port: "high" },
        daemon: 3,
        hosts: { box: { quoting: "none", prefix: ["ssh", "b"] }, here: { quoting: "argv" }, mine: { socket: "/t" } },
      },
    },
  ]);
  assert.equal(config.agent, "claude");
  assert.deepEqual(config.hosts, {
    box: { prefix: ["ssh", "b"], quoting: "argv" },
    mine: { prefix: [], quoting: "argv", socket: "/t" },
  });
  assert.deepEqual(warnings, [
    "f: unknown key agnet",
    "f: agent should be a string; the value is ignored",
    "f: web.port should be a number; the value is ignored",
    "f: daemon should be a table; the value is ignored",
    'f: hosts.box.quoting should be "argv" or "posix"; the value is ignored',
    "f: hosts.here has neither a prefix nor a socket; it is left out",
  ]);
});

test("names that every object has are names like any other", () => {
  const value = JSON.parse(
    '{"constructor": {"x": 1}, "__proto__": {"agent": "evil"}, "agents": {"__proto__": {"cmd": ["a"]}}}',
  );
  const { config, warnings } = mergeConfig([{ name: "f", value }]);
  assert.deepEqual(warnings, ["f: unknown key constructor", "f: unknown key __proto__"]);
  assert.equal(config.agent, "claude");
  assert.deepEqual(Object.keys(config.agents), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(config.agents), Object.prototype);
});

test("a number that would do harm warns and is left out, the limits themselves are taken", () => {
  const at = (path: string, value: unknown) =>
    path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  for (const { key, default: byDefault } of configTable) {
    if (typeof byDefault !== "number") continue;
    for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      const { config, warnings } = mergeConfig([{ name: "f", value: at(key, value) }]);
      assert.deepEqual(config, defaultConfig, `${key} ${value}`);
      assert.match(warnings.join(), new RegExp(`^f: ${key} should be a .*number from .* to .*; the value is ignored$`));
    }
  }
  for (const [key, bad, good] of [
    ["tmux_bridge.health_check_interval", 0, 1],
    ["tmux_bridge.subprocess_timeout", 0, 0.5],
    ["tmux_bridge.text_enter_delay_ms", 0.5, 0],
    ["web.port", 65_536, 0],
    ["daemon.journal_max_mb", 1, 2],
  ] as const) {
    assert.equal(mergeConfig([{ name: "f", value: at(key, bad) }]).warnings.length, 1, key);
    assert.deepEqual(mergeConfig([{ name: "f", value: at(key, good) }]).warnings, [], key);
  }
});
