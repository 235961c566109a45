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

test("the daemon and tmux have two sockets: one path for both is refused, however it is written", () => {
  const one = { ...home, PANEWARD_SOCKET_PATH: "/run/x.sock" };
  for (const path of ["/run/x.sock", "/run//x.sock", "/run/./x.sock"])
    assert.throws(() => placesOf({ ...one, PANEWARD_TMUX_SOCKET_PATH: path }), /cannot both listen on \/run\/x\.sock$/);
  assert.throws(() => placesOf(one, { tmux_socket_path: "/run/x.sock" }), {
    code: "bad_input",
    hint: /TMUX_SOCKET_PATH/,
  });
  assert.equal(placesOf({ ...one, PANEWARD_TMUX_SOCKET_PATH: "/run/y.sock" }).tmuxSocket, "/run/y.sock");
});

test("state and configuration follow the XDG variables", () => {
  const places = placesOf({ ...home, XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" });
  assert.deepEqual([places.home, places.userConfig], ["/s/paneward", "/c/paneward/config.toml"]);
  assert.equal(placesOf({ ...home, PANEWARD_HOME: "/x" }).database, "/x/paneward.db");
});

test("a path begins with / or ~; a relative one is refused, and ignored in the XDG variables", () => {
  const names = [
    ["PANEWARD_SOCKET_PATH", "socket"],
    ["AGENCY_SOCKET_PATH", "socket"],
    ["PANEWARD_TMUX_SOCKET_PATH", "tmuxSocket"],
    ["AGENCY_TMUX_SOCKET_PATH", "tmuxSocket"],
    ["PANEWARD_HOME", "home"],
  ] as const;
  for (const [name, place] of names) {
    assert.equal(placesOf({ ...home, [name]: "~/x/y" })[place], "/home/a/x/y");
    for (const path of ["x", "./x", "../x", "~b/x", "x/~"])
      assert.throws(
        () => placesOf({ ...home, [name]: path }),
        new RegExp(`^\\w+: ${name} is a relative path.*: ${path}$`),
      );
  }
  for (const key of ["socket_path", "tmux_socket_path"] as const) {
    const place = key === "socket_path" ? "socket" : "tmuxSocket";
    assert.equal(placesOf(home, { [key]: "~/x" })[place], "/home/a/x");
    assert.throws(
      () => placesOf(home, { [key]: "run/x" }),
      new RegExp(`\`daemon.${key}\` in config.toml is a relative path`),
    );
    assert.equal(
      placesOf({ ...home, AGENCY_SOCKET_PATH: "/socket", AGENCY_TMUX_SOCKET_PATH: "/tmuxSocket" }, { [key]: "x" })[
        place
      ],
      `/${place}`,
    );
  }
  const relative = { XDG_RUNTIME_DIR: "r", XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "~/c" };
  assert.deepEqual(placesOf({ ...home, ...relative }), placesOf(home));
  assert.throws(() => placesOf({ HOME: "me" }), /HOME is a relative path/);
});
