import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsFor, type ServiceAct } from "./commands.ts";

const typed = (manager: "systemd" | "launchd", act: ServiceAct) =>
  commandsFor(manager, act, { uid: 501, path: "/f.plist" }).map(({ argv }) => argv.join(" "));

test("systemd is asked as the user, and never ends more than the unit", () => {
  assert.deepEqual(typed("systemd", "load"), [
    "systemctl --user daemon-reload",
    "systemctl --user enable --quiet paneward.service",
  ]);
  assert.deepEqual(typed("systemd", "start"), [
    "systemctl --user reset-failed paneward.service",
    "systemctl --user start paneward.service",
  ]);
  assert.deepEqual(typed("systemd", "stop"), ["systemctl --user stop paneward.service"]);
  assert.deepEqual(typed("systemd", "unload"), ["systemctl --user disable --quiet paneward.service"]);
  assert.match(typed("systemd", "state").join(), /--property=MainPID/);
});

test("launchd is asked in the user's own domain", () => {
  assert.deepEqual(typed("launchd", "load"), [
    "launchctl bootout gui/501/paneward",
    "launchctl bootstrap gui/501 /f.plist",
  ]);
  assert.deepEqual(typed("launchd", "start"), ["launchctl kickstart gui/501/paneward"]);
  assert.deepEqual(typed("launchd", "unload"), ["launchctl bootout gui/501/paneward"]);
});
