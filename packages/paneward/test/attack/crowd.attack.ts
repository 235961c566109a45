import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { amount } from "../../../tmux/test/support/amount.ts";
import { killTmux, startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { pingBeside } from "./support/beside.ts";

const idle = amount(300, 1_000);
const printing = amount(60, 200);
const ending = 100;
const all = idle + printing + ending;

test(`${all} terminals`, { timeout: 3_600_000 }, async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const gate = join(folder, "gate");
  const ids: string[] = [];
  const start = async (count: number, argvOf: (number: number) => readonly string[]) => {
    const before = ids.length;
    const next = Array.from({ length: count }, (_, number) => number).values();
    const starting = Array.from({ length: 4 }, async () => {
      for (const number of next) ids.push((await client.run({ argv: [...argvOf(number)], cwd: folder })).id);
    });
    await Promise.all(starting);
    return ids.slice(before);
  };
  /** The ends that were reported after an event, by terminal; each may be reported once. */
  const endsAfter = async (after: number) => {
    const { events } = await client.events({ after, types: "terminal_closed", limit: 10_000 });
    return events.map(({ data }) => data as { readonly terminal: string; readonly end: { readonly kind: string } });
  };
  const running = async () => (await client.ps({})).terminals.filter(({ end }) => end === undefined).length;
  const beside = pingBeside(daemon);

  await t.test("cost the daemon as much each, be they few or many", async () => {
    await start(idle / 2, () => ["sleep", "100000"]);
    const [half, before, began] = [costOf(daemon), usage(daemon), performance.now()];
    await start(idle / 2, () => ["sleep", "100000"]);
    const [whole, after, seconds] = [costOf(daemon), usage(daemon), (performance.now() - began) / 1_000];
    // Every second it looks at all of them, so a busy machine, where starting takes long, costs more.
    await delay(5_000);
    const rest = (costOf(daemon) - whole) / 5;
    const second = whole - half - rest * seconds;
    t.diagnostic(`daemon: ${JSON.stringify({ half, whole, seconds, rest, before, after })}`);
    // The first half has the daemon's own start in it.
    assert.ok(second < half * 1.5, `${half} s for the first half, ${second} s for the second`);
    assert.ok(rest < 0.05 + idle / 20_000, `${rest} s of CPU a second at rest`);
    assert.ok(after.files - before.files < 10, `${before.files} files open, then ${after.files}`);
    assert.ok(after.megabytes - before.megabytes < 50 + idle / 4, `${before.megabytes} MB, then ${after.megabytes}`);
  });

  await t.test("report every end once, with its own code, while others print", async () => {
    await start(printing, (number) => ["sh", "-c", `while :; do echo "${number}: a line"; sleep 2; done`]);
    const codes = new Map<string, number>();
    const wait = (code: number) => ["sh", "-c", `until test -e ${gate}; do sleep 1; done; exit ${code}`];
    for (let code = 0; code < ending; code++) codes.set((await start(1, () => wait(code)))[0] ?? "", code);
    const { lastEvent } = await client.ping({});
    writeFileSync(gate, "");
    const reported = await until("all of them ended", async () => {
      const ends = await endsAfter(lastEvent);
      return ends.length >= ending && ends;
    });
    assert.deepEqual(
      new Map(reported.map(({ terminal, end }) => [terminal, end])),
      new Map([...codes].map(([id, code]) => [id, { kind: "exited", code }])),
    );
    assert.equal(reported.length, ending);
  });

  await t.test("leave a ping its answer within a second", async () => {
    const { worstMs, pings } = await beside.stop();
    t.diagnostic(`${pings} pings, the slowest ${worstMs} ms`);
    assert.ok(worstMs < 1_000, `${worstMs} ms`);
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await t.test(`outlive the daemon that gets ${signal}`, async () => {
      const cost = costOf(daemon);
      await daemon.kill(signal);
      await daemon.start();
      t.diagnostic(`before: ${cost} s of CPU; found again with ${costOf(daemon)} s`);
      assert.equal(await running(), idle + printing);
    });
  }

  await t.test("are all lost, once each, with their tmux server", async () => {
    const { lastEvent } = await client.ping({});
    const next = pingBeside(daemon);
    const cost = costOf(daemon);
    killTmux(daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "");
    const reported = await until(
      "all of them are lost",
      async () => {
        const ends = await endsAfter(lastEvent);
        return ends.length >= idle + printing && ends;
      },
      300_000,
    );
    const { worstMs } = await next.stop();
    t.diagnostic(`lost with ${costOf(daemon) - cost} s of CPU, the slowest ping ${worstMs} ms`);
    assert.equal(new Set(reported.map(({ terminal }) => terminal)).size, reported.length);
    assert.deepEqual([...new Set(reported.map(({ end }) => end.kind))], ["lost"]);
    assert.ok(worstMs < 1_000, `${worstMs} ms`);
  });
});

/** The CPU time that the daemon has used, in seconds. */
function costOf({ pid }: TestDaemon): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function usage({ pid }: TestDaemon): { readonly files: number; readonly megabytes: number } {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(Number(kilobytes) / 1_024) };
}
