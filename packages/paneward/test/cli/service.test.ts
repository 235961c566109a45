import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { unitText } from "../../src/model/service/unit.ts";
import { environmentIn, killTmux } from "../support/daemon.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { typed } from "./support/typed.ts";

/** A home in a shell without what a login gets from systemd. */
async function home(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const env = environmentIn(folder);
  const unit = join(folder, ".config/systemd/user/paneward.service");
  return { folder, env, unit, service: (...words: readonly string[]) => typed(["service", ...words], { env }) };
}

describe("paneward service, where nothing can run one", () => {
  test("says why in one sentence and what to do, with exit code 4, and makes nothing", async (t) => {
    const { unit, service } = await home(t);
    for (const words of [["install"], ["install", "--dry-run"], ["status"], ["uninstall"]]) {
      const { code, stdout, stderr } = await service(...words);
      assert.deepEqual([code, stdout], [4, ""], words.join(" "));
      assert.match(stderr, /^paneward: [^\n]+\nhint: [^\n]+\n$/);
    }
    assert.ok(!existsSync(unit));
  });

  test("logs says that there are none yet, then prints the last lines", async (t) => {
    const { env, service } = await home(t);
    const none = await service("logs");
    assert.equal(none.code, 3);
    const log = join(env.PANEWARD_HOME ?? "", "daemon.log");
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, "one\ntwo\n\u001b[31mthree\n");
    const { code, stdout } = await service("logs", "--lines", "2");
    assert.equal(code, 0);
    assert.match(stdout, /^two\n.*three\n$/);
    assert.ok(!stdout.includes("\u001b"), "the log may hold what a program printed");
  });

  test("a command starts the daemon itself when the manager of an installed service does not answer", async (t) => {
    const { env, unit } = await home(t);
    const { PANEWARD_HOME: state = "", PANEWARD_SOCKET_PATH: socket = "", HOME: folder = "" } = env;
    mkdirSync(dirname(unit), { recursive: true });
    const argv = ["/nowhere/node", "daemon", "run"];
    const places = { home: state, socket, log: `${state}/daemon.log`, environmentFile: `${folder}/environment` };
    writeFileSync(unit, unitText({ ...places, argv, env: {}, version: "0.1.0" }));
    mkdirSync(join(folder, "config/paneward"), { recursive: true });
    writeFileSync(join(folder, "config/paneward/config.toml"), "[web]\nport = 0\n");
    afterwards(t, async () => {
      await typed(["daemon", "stop"], { env });
      killTmux(env.PANEWARD_TMUX_SOCKET_PATH ?? "");
    });
    const started = await typed(["ps"], { env });
    assert.equal(started.code, 0, started.stderr);
    assert.equal((await typed(["daemon", "status"], { env })).code, 0);
    writeFileSync(unit, unitText({ ...places, argv, env: {}, version: "0.0.9" }));
    const restarted = await typed(["daemon", "restart"], { env });
    assert.equal(restarted.code, 6);
    assert.match(
      restarted.stderr,
      /another installation, version 0\.0\.9: \/nowhere.*\nhint: `paneward service install` moves/,
    );
  });
});
