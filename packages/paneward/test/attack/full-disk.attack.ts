import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { mountingIn, runOnSmallDisk } from "./support/small-disks.ts";

// Everything of the daemon is on a file system of 24 MB. Where none can be mounted, the attack fails: it proves nothing then.
const disk = mountingIn;

if (disk === undefined) {
  test("on a small file system of its own", { timeout: 600_000 }, () => {
    runOnSmallDisk(import.meta.filename, 24);
  });
} else {
  test("a daemon on a disk without a free byte", { timeout: 300_000 }, async (t) => {
    const daemon = await startDaemon(t);
    const { client, folder } = daemon;
    const ballast = join(disk, "ballast");
    const fill = () => {
      for (const size of [1_048_576, 65_536, 4_096, 1]) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
        } catch (error) {
          assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
        }
      }
      assert.equal(statfsSync(disk).bavail, 0);
    };
    const repository = join(folder, "repository");
    execFileSync("git", ["init", "--quiet", repository]);
    execFileSync("git", ["-C", repository, "commit", "--quiet", "--allow-empty", "-m", "Begin"], {
      env: { ...process.env, HOME: folder },
    });
    const argv = ["sh", "-c", 'while read line; do echo "got $line"; case $line in finish) exit 7;; esac; done'];
    const { id: ending } = await client.run({ argv, name: "ending" });
    const { id: lasting } = await client.run({ argv, name: "lasting" });
    const say = (id: string, line: string) => {
      const session = `paneward-${id}-${id === ending ? "ending" : "lasting"}`;
      execFileSync("tmux", [
        "-S",
        daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "",
        "send-keys",
        "-t",
        session,
        line,
        "Enter",
      ]);
    };
    const terminal = async (id: string) => (await client.ps({ all: "true" })).terminals.find((one) => one.id === id);
    fill();

    await t.test("records the end of a program, and keeps running", async () => {
      say(ending, "finish");
      await until("its end is known", async () => (await terminal(ending))?.end);
      assert.deepEqual((await terminal(ending))?.end, { kind: "exited", code: 7 });
    });

    await t.test("refuses what must be stored, on every door to the disk", async () => {
      const refused = { code: "storage_full" };
      await assert.rejects(client.run({ argv: ["true"] }), refused);
      await assert.rejects(client.send({ id: lasting, text: "x" }), refused);
      await assert.rejects(client.token_create({ scope: "read", name: "x" }), refused);
      await assert.rejects(client.new({ root: repository, text: "A task", agent: "shell" }), refused);
      await assert.rejects(client.team_open({ team: "demo", root: repository }), refused);
    });

    await t.test("keeps running when a program prints and its journal has no room", async () => {
      say(lasting, "while-full");
      await until("its screen shows it", async () =>
        (await client.screen({ id: lasting })).lines.join("\n").includes("got while-full"),
      );
    });

    await t.test("can be killed and started again, and ends no program", async () => {
      const { pid } = { pid: daemon.pid };
      await daemon.kill("SIGKILL");
      await daemon.start();
      assert.notEqual(daemon.pid, pid);
      assert.equal((await terminal(lasting))?.end, undefined);
      assert.deepEqual((await terminal(ending))?.end, { kind: "exited", code: 7 });
    });

    await t.test("stores everything when there is room, and journals continue", async () => {
      fill();
      rmSync(ballast);
      await until("everything is stored", async () =>
        (await client.doctor({})).checks.some(({ name, ok }) => name === "database" && ok),
      );
      await client.send({ id: lasting, text: "afterwards" });
      await until("its journal has it", async () =>
        (await client.read({ id: lasting })).output.includes("got afterwards"),
      );
      await daemon.kill("SIGKILL");
      await daemon.start();
      assert.deepEqual((await terminal(ending))?.end, { kind: "exited", code: 7 });
      await client.stop({ id: lasting });
      const { id } = await client.new({ root: repository, text: "A task", agent: "shell" });
      assert.ok(id > 0);
    });
  });
}
