import assert from "node:assert/strict";
import { test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";

for (const by of [0, -3_600_000, 86_400_000]) {
  const clockSet = by === 0 ? "" : `, with the clock set by ${by} ms in between`;
  const seen = { actor: "agent", way: "seen" } as const;

  test(`an end that is drawn a second after its report is the same, one after 20 s is another${clockSet}`, async (t) => {
    const on = await WitnessStage.on(t);
    const { id } = on.begins(1, "opencode");
    const ends: number[] = [];
    for (const later of [0, 1_000, 20_000]) {
      on.clock.setWall(later === 0 ? 0 : by);
      await on.clock.advance(later);
      on.agents.said(id, { ...seen, intent: "progress" });
      on.agents.said(id, { ...seen, intent: "completion" });
      ends.push(on.store.turns(id, 100).length);
    }
    assert.deepEqual(ends, [1, 1, 2]);
  });

  test(`a hook that reports a sent prompt within the hour is the same turn, a later one is not${clockSet}`, async (t) => {
    const on = await WitnessStage.on(t);
    for (const [number, later, turns] of [
      [1, 3_599_000, 1],
      [2, 3_601_000, 2],
    ] as const) {
      const { id } = on.begins(number, "claude");
      const prompt = { actor: "user", intent: "command", text: "go" } as const;
      on.agents.said(id, { ...prompt, way: "given", delivery: `d${number}`, since: on.clock.now() });
      on.clock.setWall(by);
      await on.clock.advance(later);
      on.agents.said(id, { ...prompt, way: "told" });
      assert.equal(on.store.turns(id, 9).length, turns);
    }
  });
}
