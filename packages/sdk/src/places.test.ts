import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "./places.ts";

const home = { HOME: "/home/a" };

test("sockets: variable, older variable, configuration, runtime folder, home, in this order", () => {
  const config = { socket_path: "/c/d.sock", tmux_socket_path: "/c/t.sock" };
  const table = [
    [{ ...home, PANEWARD_SOCKET_PATH: "/p", AGENCY_SOCKET_PATH: "/a", XDG_RUNTIME_DIR: "/run/u" }, config, "/p"],
    [{ ...home, AGENCY_SOCKET_PATH: "/a", XDG_RUNTIME_DIR: "/run/u" }, config, "/a"],
    [{ ...home, XDG_RUNTIME_DIR: "/run/u" }, config, "/c/d.sock"],
    [{ ...home, XDG_RUNTIME_DIR: "/run/u" }, {}, "/run/u/paneward/daemon.sock"],
    [{ ...home, PANEWARD_SOCKET_PATH: "" }, {}, "/home/a/.local/run/paneward/daemon.sock"],
  ] as const;
  for (const [env, settings, socket] of table) assert.equal(placesOf(env, settings).socket, socket);
});

test("the tmux socket follows the same order with its own variables", () => {
  const env = { ...home, AGENCY_TMUX_SOCKET_PATH: "/a" };
  assert.equal(placesOf({ ...env, PANEWARD_TMUX_SOCKET_PATH: "/p" }).tmuxSocket, "/p");
  assert.equal(placesOf(env, { tmux_socket_path: "/c" }).tmuxSocket, "/a");
  assert.equal(placesOf(home, { tmux_socket_path: "/c" }).tmuxSocket, "/c");
  assert.equal(placesOf(home).tmuxSocket, "/home/a/.local/run/paneward/tmux.sock");
});

test("state and configuration follow the XDG variables", () => {
  const places = placesOf({ ...home, XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" });
  assert.deepEqual([places.home, places.userConfig], ["/s/paneward", "/c/paneward/config.toml"]);
  assert.equal(placesOf({ ...home, PANEWARD_HOME: "/x" }).database, "/x/paneward.db");
});
