import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { switchInside } from "./programs.ts";

describe("attaching from inside tmux", () => {
  const argv = ["tmux", "-S", "/tmp/own", "attach-session", "-t", "%3"];

  test("in the same server, the existing client is switched", () => {
    assert.deepEqual(switchInside(argv, "/tmp/own,123,0"), ["tmux", "-S", "/tmp/own", "switch-client", "-t", "%3"]);
  });

  test("in another server, in none, or with a prefix, a new client attaches", () => {
    assert.equal(switchInside(argv, "/tmp/other,123,0"), undefined);
    assert.equal(switchInside(argv, undefined), undefined);
    assert.equal(switchInside(["ssh", "-t", "box", ...argv], "/tmp/own,123,0"), undefined);
  });
});
