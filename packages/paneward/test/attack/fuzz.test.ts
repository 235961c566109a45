import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { pingBeside } from "./support/beside.ts";
import { type FuzzCase, fuzzCases } from "./support/fuzz-cases.ts";
import { fuzzStage } from "./support/fuzz-stage.ts";
import { memorySamples } from "./support/memory.ts";
import { faultIn } from "./support/verdict.ts";
import { openWires } from "./support/wires.ts";

const cases = Number(process.env.PANEWARD_FUZZ ?? amount(20_000, 1_000_000));
const atOnce = 16;
const patienceMs = 30_000;

test(`of ${cases} attacks through every door none ends the daemon, hangs it or finds a fault`, async (t) => {
  const source = random(t);
  const stage = await fuzzStage(t);
  const { daemon } = stage;
  const { pid } = daemon;
  const next = fuzzCases(source, stage, openWires(t, daemon));
  const seen = new Map<string, number>();
  const faults: string[] = [];
  const attack = async () => {
    for (; left > 0 && faults.length < 20; ) {
      left--;
      const made = await next();
      const outcome = await withPatience(made);
      seen.set(outcome.label, (seen.get(outcome.label) ?? 0) + 1);
      if (outcome.fault !== undefined)
        faults.push(`${outcome.fault}: ${made.door} ${JSON.stringify(made.sent).slice(0, 1_000)}`);
    }
  };
  let left = cases;
  const { samples: memory, take } = memorySamples(pid);
  const beside = pingBeside(daemon, take);
  const began = performance.now();
  // Settled, so that nothing runs on when one of them breaks.
  const done = await Promise.allSettled(Array.from({ length: atOnce }, attack));
  const seconds = (performance.now() - began) / 1_000;
  const { worstMs, pings } = await beside.stop();
  // The least of several samples: one may fall into the middle of large requests.
  const least = (from: number, to: number) =>
    Math.min(...memory.slice(Math.floor(memory.length * from), Math.ceil(memory.length * to)));
  const [warm, end] = [least(0.25, 0.5), least(0.75, 1)];
  t.diagnostic(
    `${cases} attacks in ${seconds.toFixed(1)} s; worst ping of ${pings}: ${worstMs} ms; memory ${warm} MB, then ${end} MB`,
  );
  t.diagnostic(JSON.stringify(Object.fromEntries([...seen].toSorted())));
  for (const one of done) if (one.status === "rejected") throw one.reason;
  assert.deepEqual(faults, []);
  assert.equal((await daemon.client.ping({})).pid, pid, "the same daemon answers");
  assert.deepEqual(errorsIn(join(daemon.folder, "state", "daemon.log")), []);
  assert.ok(worstMs < 1_000, `no answer for ${worstMs} ms`);
  assert.ok(end < warm + 30, `memory grew from ${warm} MB to ${end} MB`);
});

async function withPatience(made: FuzzCase): Promise<{ readonly label: string; readonly fault?: string }> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs).unref();
  try {
    const answer = await Promise.race([made.run(), late.promise]);
    if (!answer) return { label: `${made.door} hangs`, fault: `no answer within ${patienceMs} ms` };
    const fault = faultIn(made, answer);
    return { label: `${made.door} ${answer.status}`, ...(fault === undefined ? {} : { fault }) };
  } catch (error) {
    return { label: `${made.door} broken`, fault: `the connection broke: ${(error as Error).message}` };
  } finally {
    clearTimeout(timer);
  }
}

/** What the daemon did not expect is in its log, whatever it answered. */
function errorsIn(log: string): readonly string[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"level":50'))
    .slice(0, 20);
}
