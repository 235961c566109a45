import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";
import { Availability } from "./availability.ts";

async function stage(t: TestContext) {
  const on = await WitnessStage.on(t);
  const { store, clock, agents } = on;
  const gone = new Set<string>();
  let checks = 0;
  const terminals = {
    health: async (_host: string, { pane }: { readonly pane: string }) => {
      checks += 1;
      return { available: !gone.has(pane), running: true };
    },
  } as unknown as ConstructorParameters<typeof Availability>[0]["terminals"];
  const availability = new Availability({ store, clock, agents, terminals });
  t.after(() => availability.stop());
  const reported = () =>
    on.events
      .splice(0)
      .flatMap(({ type, data }) => (type === "commander_availability" ? [data] : []))
      .map((data) => `${"agent_id" in data && data.agent_id} ${"available" in data && data.available}`);
  return {
    ...{ on, availability, gone, reported },
    get checks() {
      return checks;
    },
  };
}

test("an agent's availability is reported when it changes, and checked at every interval", async (t) => {
  const one = await stage(t);
  const { on, availability, gone } = one;
  const agent = on.begins(1, "claude");
  assert.equal(availability.isAvailable(agent), true, "not checked yet");
  availability.begin(5);
  await on.clock.advance(20_000);
  assert.equal(one.checks, 5);
  assert.deepEqual(one.reported(), ["a1 true"]);
  gone.add("%1");
  await on.clock.advance(5_000);
  assert.deepEqual(one.reported(), ["a1 false"]);
  assert.equal(availability.isAvailable(agent), false);
  gone.clear();
  await on.clock.advance(5_000);
  assert.deepEqual(one.reported(), ["a1 true"]);
});

test("a new agent and one that ended are reported at once, and a stopped tracker reports nothing", async (t) => {
  const one = await stage(t);
  const { on, availability, gone } = one;
  availability.begin(3_600);
  const agent = on.begins(1, "claude");
  await on.clock.advance(0);
  assert.deepEqual(one.reported(), ["a1 true"]);
  on.agents.ended(agent, "it ended");
  await on.clock.advance(0);
  assert.deepEqual(one.reported(), ["a1 false"]);
  assert.equal(availability.isAvailable(on.store.agent("a1") ?? agent), false);
  const next = on.begins(2, "claude");
  await on.clock.advance(0);
  assert.deepEqual(one.reported(), ["a2 true"]);
  availability.stop();
  gone.add("%2");
  on.begins(3, "claude");
  await on.clock.advance(10_000_000);
  assert.deepEqual(one.reported(), []);
  assert.equal(await availability.check(next), false, "it can still be asked for");
});

test("the interval is one of monotonic time", async (t) => {
  const one = await stage(t);
  one.on.begins(1, "claude");
  one.availability.begin(5);
  for (const by of [-3_600_000, 86_400_000]) {
    one.on.clock.setWall(by);
    const before = one.checks;
    await one.on.clock.advance(10_000);
    assert.equal(one.checks - before, 2);
  }
});

test("a daemon that starts again reports only what changed while it did not run", async (t) => {
  const one = await stage(t);
  const { on, availability, gone } = one;
  const [same, goes, ends] = [on.begins(1, "claude"), on.begins(2, "claude"), on.begins(3, "claude")];
  availability.begin(3_600);
  await on.clock.advance(0);
  assert.deepEqual(one.reported(), ["a1 true", "a2 true", "a3 true"]);
  availability.stop();
  gone.add(goes.tmux_pane_id ?? "");
  on.agents.ended(ends, "it ended");
  const { store, clock, agents } = on;
  const health = async (_host: string, { pane }: { readonly pane: string }) => ({
    available: !gone.has(pane),
    running: true,
  });
  const again = new Availability({ store, clock, agents, terminals: { health } });
  t.after(() => again.stop());
  again.begin(5);
  await on.clock.advance(60_000);
  assert.deepEqual(one.reported().toSorted(), ["a2 false", "a3 false"]);
  assert.ok(again.isAvailable(store.agent(same.id) ?? same));
});
