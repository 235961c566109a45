import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isInOwnScope, launchersFor, type ScopeFacts } from "./tmux-scope.ts";

const inLogin = "0::/user.slice/user-1000.slice/session-3.scope\n";
const inService = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/paneward.service\n";
const facts: ScopeFacts = {
  ...{ uid: 1000, hasUserManager: true, isLingering: true },
  ...{ cgroups: inLogin, runtimeDir: "/run/user/1000", mark: "0a1b" },
};

describe("a tmux server is started", () => {
  test("in a scope of its own, which systemd keeps when a program in it takes too much memory", () => {
    const [first = [], second = [], ...others] = launchersFor(facts);
    const begin = "systemd-run --user --scope --quiet --collect --unit=paneward-tmux-0a1b";
    assert.equal(first.join(" "), `${begin} --property=OOMPolicy=continue --`);
    assert.equal(second.join(" "), `${begin} --`, "an older systemd does not know the property");
    assert.deepEqual(others, []);
  });

  test("also by a daemon of the user's manager who does not linger: it ends with its manager anyway", () => {
    assert.equal(launchersFor({ ...facts, isLingering: false, cgroups: inService }).length, 2);
  });

  test("plainly in a login session of a user who does not linger: a scope would end with the last logout", () => {
    assert.deepEqual(launchersFor({ ...facts, isLingering: false }), []);
  });

  test("plainly where there is no manager: nothing is tried and no time is lost", () => {
    assert.deepEqual(launchersFor({ ...facts, hasUserManager: false }), []);
  });

  test("with the manager's folder for systemd-run only, where the shell has none or another", () => {
    const [after = []] = launchersFor({ ...facts, runtimeDir: undefined });
    assert.deepEqual(after.slice(0, 3), ["env", "XDG_RUNTIME_DIR=/run/user/1000", "systemd-run"]);
    assert.deepEqual(after.slice(-4), ["--", "env", "-u", "XDG_RUNTIME_DIR"]);
    const [other = []] = launchersFor({ ...facts, runtimeDir: "/tmp/mine" });
    assert.deepEqual(other.slice(-3), ["--", "env", "XDG_RUNTIME_DIR=/tmp/mine"]);
  });
});

test("a server in a scope of its own is known by its cgroup, on every version of cgroups", () => {
  const scope = "/user.slice/user-1000.slice/user@1000.service/app.slice/paneward-tmux-0a1b.scope";
  assert.ok(isInOwnScope(`0::${scope}\n`));
  assert.ok(isInOwnScope(`9:name=systemd:${scope}\n8:pids:/\n0::/\n`));
  assert.ok(!isInOwnScope(inLogin));
  assert.ok(!isInOwnScope(inService));
});
