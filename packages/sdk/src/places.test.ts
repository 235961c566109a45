import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "./places.ts";

const home = { HOME: "/home/a" };

test("sockets: the variable wins, then the older name, then the configuration, then the runtime folder, then home", () => {
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

test("the tmux socket follows the same order with its own names", () => {
  const env = { ...home, AGENCY_TMUX_SOCKET_PATH: "/a" };
  assert.equal(placesOf({ ...env, PANEWARD_TMUX_SOCKET_PATH: "/p" }).tmuxSocket, "/p");
  assert.equal(placesOf(env, { tmux_socket_path: "/c" }).tmuxSocket, "/a");
  assert.equal(placesOf(home, { tmux_socket_path: "/c" }).tmuxSocket, "/c");
  assert.equal(placesOf(home).tmuxSocket, "/home/a/.local/run/paneward/tmux.sock");
});

test("state and configuration go where the desktop's variables say", () => {
  const places = placesOf({ ...home, XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" });
  assert.deepEqual([places.home, places.userConfig], ["/s/paneward", "/c/paneward/config.toml"]);
  assert.equal(placesOf({ ...home, PANEWARD_HOME: "/x" }).database, "/x/paneward.db");
});
