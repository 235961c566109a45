import assert from "node:assert/strict";
import { test } from "node:test";
import { plainSocketPath } from "./server.ts";

test("uses the socket of plain tmux", () => {
  assert.equal(plainSocketPath({ TMUX: "/run/t/work,12,3", TMUX_TMPDIR: "/var" }, 1000), "/run/t/work");
  assert.equal(plainSocketPath({}, 1000), "/tmp/tmux-1000/default");
  assert.equal(plainSocketPath({ TMUX: "", TMUX_TMPDIR: "/usr" }, 1000), "/usr/tmux-1000/default");
  assert.equal(plainSocketPath({ TMUX_TMPDIR: "/does/not/exist" }, 1000), "/tmp/tmux-1000/default");
});
