import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { keepsOutput } from "./support/keeps-output.ts";

/** As a system without memory kills: whatever it likes, in any order. */
const victims = ["daemon", "a journal's split", "every split", "the tmux server", "a program"] as const;
type Victim = (typeof victims)[number];

test("the daemon, its tmux server, pipes and programs are killed in random order", {
  timeout: 3_600_000,
}, async (t) => {
  const { below, pick } = random(t);
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const argv = ["sh", "-c", `: ${folder}; while read line; do echo "got $line"; done`];

  async function killOne(victim: Victim): Promise<void> {
    const splits = processesOf(folder, /split .*journals/);
    if (victim === "daemon") await daemon.kill("SIGKILL");
    else if (victim === "the tmux server") killAll(serverOf(daemon));
    else if (victim === "a program") killAll(processesOf(folder, /while read line/).slice(0, 1));
    else killAll(victim === "every split" ? splits : splits.slice(0, 1));
  }

  for (let round = 0; round < amount(8, 200); round++) {
    const ids: string[] = [];
    for (let made = 0; made < 4; made++) ids.push((await client.run({ argv })).id);
    const { lastEvent } = await client.ping({});
    const order = Array.from({ length: 1 + below(5) }, () => pick(victims));
    const label = `round ${round}: ${order.join(", ")}`;
    for (const victim of order) {
      await killOne(victim);
      await delay(below(3) * below(150));
    }
    if (order.includes("daemon")) await daemon.start();
    const terminals = async () => (await client.ps({ all: "true" })).terminals.filter(({ id }) => ids.includes(id));
    const ends = order.includes("the tmux server") ? 4 : Number(order.includes("a program"));
    await until(
      `${ends} have ended: ${label}`,
      async () => (await terminals()).filter(({ end }) => end).length >= ends,
    );
    for (const { id, end } of await terminals()) {
      if (end) assert.ok(end.kind === "lost" || end.kind === "killed", `${label}: ${id} ${JSON.stringify(end)}`);
      else await keepsOutput(client, id, label);
    }
    const { events } = await client.events({ after: lastEvent, types: "terminal_closed", limit: 1_000 });
    const ended = events.map(({ data }) => String(Reflect.get(data as object, "terminal")));
    assert.equal(new Set(ended).size, ended.length, `${label}: an end was reported twice`);
    for (const id of ids) await client.rm({ id });
  }
});

function serverOf({ env }: TestDaemon): readonly number[] {
  const asked = ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", "display-message", "-p", "#{pid}"];
  const { stdout } = spawnSync("tmux", asked, { encoding: "utf8" });
  return stdout.trim() === "" ? [] : [Number(stdout)];
}

/** Processes of this test: their command line names its folder. */
function processesOf(folder: string, pattern: RegExp): readonly number[] {
  const listed = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  return listed.split("\n").flatMap((line) => {
    const [, pid, args = ""] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return args.includes(folder) && pattern.test(args) ? [Number(pid)] : [];
  });
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
