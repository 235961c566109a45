import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { killTmux, startDaemon, type TestDaemon } from "../support/daemon.ts";
import { loneSleep, running } from "../support/lone-sleep.ts";
import { until } from "../support/until.ts";

/** What a person wants of a terminal: that its program runs, or that it does not. */
interface Wanted {
  readonly id: string;
  readonly argv: ReturnType<typeof loneSleep>;
  runs: boolean;
}

test("killed at any moments of a restore, daemon and tmux in any order, each program runs exactly once", {
  timeout: 3_000_000,
}, async (t) => {
  const chance = random(t);
  const daemon = await startDaemon(t, chance.below(2) === 0 ? '[daemon]\nrestore = "always"\n' : "");
  const all: Wanted[] = [];
  for (let at = 0; at < 6; at++) {
    const argv = loneSleep(t);
    const { id } = await daemon.client.run({ argv: [...argv], keep_running: at < 3 });
    all.push({ id, argv, runs: true });
  }
  for (let round = 0; round < amount(3, 60); round++) {
    // A person stops one, or wants it again.
    const turned = all[chance.below(all.length)] as Wanted;
    turned.runs = !turned.runs;
    await (turned.runs ? daemon.client.restart({ id: turned.id }) : daemon.client.stop({ id: turned.id }));

    await lose(daemon, chance);
    atMostOnce(all, "after the loss");
    for (let kill = 0; kill < 1 + chance.below(2); kill++) {
      const asked = daemon.client.restore({}).catch(() => {});
      // The moment is random on purpose: that is being tested.
      await new Promise((resolve) => setTimeout(resolve, chance.below(400)));
      await lose(daemon, chance);
      await asked;
      atMostOnce(all, "after a kill while it was restored");
    }
    await until(`each is as a person wants it in round ${round}`, async () => {
      // A loss may be noticed only now.
      await daemon.client.restore({});
      atMostOnce(all, `in round ${round}`);
      const { terminals } = await daemon.client.ps({});
      const statusOf = new Map(terminals.map(({ id, status }) => [id, status]));
      return all.every(({ id, argv, runs }) => {
        const status = statusOf.get(id);
        return running(argv).length === (runs ? 1 : 0) && status !== "Lost" && (status === "Stopped") === !runs;
      });
    });
    const { sessions } = await daemon.client.sessions({});
    assert.equal(sessions.length, all.filter(({ runs }) => runs).length, "no session is left over");
  }
});

/** Ends the tmux server, the daemon, or both, in any order; then a daemon runs. */
async function lose(daemon: TestDaemon, chance: Random): Promise<void> {
  const tmux = async () => endTmux(daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", chance);
  const own = () => daemon.kill("SIGKILL");
  const orders = [[tmux], [own], [tmux, own], [own, tmux]] as const;
  for (const end of orders[chance.below(orders.length)] ?? []) await end();
  // The one that is alive keeps its socket.
  if (!(await daemon.client.ping({}).catch(() => undefined))) await daemon.start();
}

/** By its own command, which ends all programs first, or from one moment to the next. */
function endTmux(socket: string, chance: Random): void {
  if (chance.below(2) === 0) {
    killTmux(socket);
    return;
  }
  const { stdout } = spawnSync("tmux", ["-N", "-S", socket, "display-message", "-p", "#{pid}"], { encoding: "utf8" });
  const pid = Number(stdout);
  if (pid > 1) process.kill(pid, "SIGKILL");
}

function atMostOnce(all: readonly Wanted[], when: string): void {
  for (const { id, argv, runs } of all)
    assert.ok(running(argv).length <= (runs ? 1 : 0), `${id} runs ${running(argv).length} times ${when}`);
}
