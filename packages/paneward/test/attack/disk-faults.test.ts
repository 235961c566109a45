import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { diskWork } from "./support/disk-work.ts";
import { keepsOutput } from "./support/keeps-output.ts";
import { lacksMounts, mountingIn, mountSmallDisk, runOnSmallDisk } from "./support/small-disks.ts";

if (mountingIn === undefined) {
  suiteThatNeeds("disks that fill up at random moments", lacksMounts(), () => {
    test("end nothing and lose nothing", { timeout: 3_600_000 }, (t) => {
      const printed = runOnSmallDisk(import.meta.filename, 400);
      t.diagnostic(/PANEWARD_SEED=\d+/.exec(printed)?.[0] ?? "");
    });
  });
} else {
  const below = join(mountingIn, "disks");
  test("disks full of bytes or of files, one by one or all at once", { timeout: 3_600_000 }, async (t) => {
    const chance = random(t);
    const { pick } = chance;
    const disks = [
      mountSmallDisk(join(below, "state"), 32, 4_000),
      mountSmallDisk(join(below, "state", "journals"), 24, 4_000),
      mountSmallDisk(join(below, "state", "worktrees"), 8, 1_000),
      mountSmallDisk(join(below, "state", "git"), 8, 1_500),
      mountSmallDisk(join(below, "repository"), 16, 3_000),
      mountSmallDisk(join(below, "run"), 1, 60),
      mountSmallDisk(join(below, "tmux"), 1, 60),
    ];
    const daemon = await startDaemon(
      t,
      "",
      {},
      {
        PANEWARD_HOME: join(below, "state"),
        PANEWARD_SOCKET_PATH: join(below, "run", "daemon.sock"),
        PANEWARD_TMUX_SOCKET_PATH: join(below, "tmux", "tmux.sock"),
      },
    );
    const { client } = daemon;
    mkdirSync(join(below, "repository"), { recursive: true });
    const repository = makeRepository(daemon, "../disks/repository/project");
    const work = await diskWork(daemon, repository, chance);
    const terminals = async () => (await client.ps({ all: "true" })).terminals;

    const logged = () =>
      readFileSync(join(below, "state", "daemon.log"), "utf8")
        .split("\n")
        .slice(-20)
        .join("\n");
    const play = async (round: number) => {
      const filled = chance.below(3) === 0 ? disks : [pick(disks)];
      const how = pick(["fillBytes", "fillFiles"] as const);
      const isKilled = chance.below(4) === 0;
      const acts = Array.from({ length: 8 + chance.below(8) }, () => pick(work.names));
      const label = `round ${round}, ${how} ${filled.map(({ path }) => path.slice(below.length)).join()}, ${acts.join()}`;
      const fillAfterMs = chance.below(2) * chance.below(300);
      const acting = acts.map(async (name) => {
        await delay(20 + chance.below(600));
        await work.run(name).catch((error: unknown) => assertExplained(error, name, isKilled, label));
      });
      await delay(fillAfterMs);
      for (const disk of filled) disk[how]();
      if (isKilled) {
        await delay(chance.below(400));
        await daemon.kill("SIGKILL");
        await daemon.start();
      }
      await Promise.all(acting);
      const running = (await terminals()).filter(({ end }) => end === undefined).map(({ id }) => id);
      for (const id of work.lasting) assert.ok(running.includes(id), `${id} ended: ${label}`);

      for (const disk of filled) disk.makeRoom();
      await until(`everything is stored: ${label}`, async () =>
        (await client.doctor({})).checks.some(({ name, ok }) => name === "database" && ok),
      );
      const [talking = ""] = work.lasting;
      await keepsOutput(client, talking, label);
      for (const [id, code] of work.ends) {
        const { end } = await until(`the end of ${id} is known: ${label}`, async () =>
          (await terminals()).find((one) => one.id === id && one.end),
        );
        assert.deepEqual(end, { kind: "exited", code }, label);
        await client.rm({ id });
      }
      work.ends.clear();
      assert.deepEqual(
        work.lostFiles(),
        [],
        `${label}; ${JSON.stringify((await client.events({ types: "task_reset,task_removed,task_restored", limit: 10_000 })).events.slice(-6))}; ${repository.git("for-each-ref", "refs/paneward")}`,
      );
      const places = [repository.root, join(below, "state", "worktrees")];
      assert.equal(execFileSync("find", [...places, "-name", "*.lock"], { encoding: "utf8" }), "", label);
      repository.git("fsck", "--no-dangling");
    };

    for (let round = 0; round < amount(4, 150); round++) {
      await play(round).catch((cause: Error) => {
        throw new Error(`${cause.message}\n${logged()}`, { cause });
      });
    }
    const { events } = await client.events({ types: "storage_changed,sessions_changed", limit: 10_000 });
    const told = events.flatMap(({ type, data }) =>
      type === "storage_changed"
        ? [String(Reflect.get(data as object, "state"))]
        : type === "sessions_changed"
          ? ["started"]
          : [],
    );
    assert.doesNotMatch(told.join(), /full,full|ok,ok/, "it is told once, and once that it is over");
  });
}

/** What callers may learn: that there is no room and what to do, or that what they asked for does not fit any more. */
function assertExplained(error: unknown, name: string, isKilled: boolean, label: string): void {
  const isCut = isKilled && /ECONN|EPIPE|socket hang up/.test(String(error));
  if (isCut) return;
  assert.ok(error instanceof PanewardError, `${name}: ${error}: ${label}`);
  const { code, message, hint } = error;
  const allowed = ["storage_full", "wrong_state", "not_found", "conflict"];
  // What these acknowledge lasts; what was typed or answered before the disk was full cannot be refused any more.
  const lasts = ["send", "respond", "token"].includes(name);
  const isDone = lasts && code === "outcome_unknown" && /^it was done, but its record waits in memory/.test(message);
  const isUnreached = isKilled && (code === "unavailable" || code === "outcome_unknown");
  assert.ok(allowed.includes(code) || isDone || isUnreached, `${name}: ${code}: ${message}: ${label}`);
  if (code === "storage_full" || isDone) assert.match(hint, /disk space/);
  else assert.doesNotMatch(message, /No space left|ENOSPC/, label);
}
