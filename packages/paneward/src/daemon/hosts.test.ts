import assert from "node:assert/strict";
import { test } from "node:test";
import type { Places } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { Store } from "../runtime/ports.ts";
import { openHosts } from "./hosts.ts";

test("the configured timeout of tmux counts on every host: this machine, the user's own server, teams', those behind a prefix", () => {
  const config = {
    ...defaultConfig,
    hosts: { box: { prefix: ["ssh", "box"], quoting: "posix" } },
    tmux_bridge: { ...defaultConfig.tmux_bridge, subprocess_timeout: 0.5 },
  } as const;
  const hosts = openHosts({ home: "/state", tmuxSocket: "/own.sock" } as Places, config, () => ({}) as Store);
  for (const name of ["local", "tmux:/tmp/tmux-0/default", "team:alpha", "box"]) {
    assert.equal(hosts.settings(name)?.patienceMs, 500, name);
  }
});
