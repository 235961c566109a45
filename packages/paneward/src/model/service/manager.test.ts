import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { managerFor, type ServiceFacts } from "./manager.ts";

const good: ServiceFacts = {
  ...{ platform: "linux", uid: 1000, user: "ada", runtimeDir: "/run/user/1000" },
  ...{ hasSystemd: true, hasSystemctl: true, isContainer: false, hasUserManager: true, isLingering: true },
};

describe("who runs a service", () => {
  const table: readonly (readonly [string, Partial<ServiceFacts>, RegExp])[] = [
    ["systemd", {}, /^systemd$/],
    ["systemd, whether it lingers yet or not", { isLingering: false }, /^systemd$/],
    ["systemd in a container that has one", { isContainer: true }, /^systemd$/],
    ["launchd on macOS", { platform: "darwin", hasSystemd: false, hasUserManager: false }, /^launchd$/],
    [
      "nobody on another system",
      { platform: "freebsd" },
      /no service manager is known on freebsd.*`paneward daemon run`/,
    ],
    ["nobody without systemd", { hasSystemd: false }, /systemd does not run this machine.*`paneward daemon run`/],
    ["nobody without systemctl", { hasSystemctl: false }, /systemd does not run this machine/],
    [
      "nobody in a plain container",
      { hasSystemd: false, isContainer: true },
      /this container runs no systemd.*container's command/,
    ],
    [
      "nobody for a user without a manager",
      { hasUserManager: false, runtimeDir: undefined },
      /no manager for ada.*`sudo loginctl enable-linger ada` starts one/,
    ],
    [
      "nobody for root without a manager",
      { uid: 0, user: "root", hasUserManager: false },
      /no manager for root.*`loginctl enable-linger root` starts one/,
    ],
    [
      "nobody after su",
      { runtimeDir: undefined },
      /XDG_RUNTIME_DIR is not set.*`export XDG_RUNTIME_DIR=\/run\/user\/1000`/,
    ],
    ["nobody after sudo", { runtimeDir: "/run/user/0" }, /XDG_RUNTIME_DIR is \/run\/user\/0, as after su/],
  ];
  for (const [name, facts, says] of table) {
    test(name, () => {
      const manager = managerFor({ ...good, ...facts });
      const text = manager.kind === "none" ? `${manager.why}; ${manager.hint}` : manager.kind;
      assert.match(text, says);
    });
  }
});
