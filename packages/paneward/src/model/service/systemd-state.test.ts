import assert from "node:assert/strict";
import { test } from "node:test";
import { readJob, readState } from "./systemd-state.ts";

test("what systemctl shows is read", () => {
  const text =
    "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\nMainPID=42\nResult=success\nExecMainStatus=0\nNRestarts=3\nFragmentPath=/u/paneward.service";
  const expected = {
    isLoaded: true,
    isEnabled: true,
    active: "active",
    pid: 42,
    result: "success",
    exitStatus: 0,
    restarts: 3,
    file: "/u/paneward.service",
  };
  assert.deepEqual(readState(text), expected);
  const none = readState("LoadState=not-found\nUnitFileState=\nActiveState=inactive\nMainPID=0\nResult=success");
  assert.deepEqual([none.isLoaded, none.isEnabled, none.active, none.pid], [false, false, "inactive", undefined]);
  assert.equal(readState("ActiveState=failed\nResult=exit-code\nExecMainStatus=6").exitStatus, 6);
});

test("what launchctl prints is read", () => {
  const running = readJob(
    "gui/501/paneward = {\n\tactive count = 1\n\tstate = running\n\tpid = 77\n\tlast exit code = 0\n}",
  );
  assert.deepEqual([running.isLoaded, running.active, running.pid], [true, "active", 77]);
  const failed = readJob("gui/501/paneward = {\n\tstate = not running\n\tlast exit code = 8\n}");
  assert.deepEqual([failed.active, failed.exitStatus], ["failed", 8]);
  assert.equal(readJob(undefined).isLoaded, false);
});
