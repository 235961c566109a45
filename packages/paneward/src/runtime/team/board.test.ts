import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { teamStage } from "../../../test/support/team-stage.ts";
import { claimTask, createTask, finishTask } from "./board.ts";

const hour = 3_600_000;

describe("a lease", () => {
  for (const [what, by] of [
    ["back", -5 * hour],
    ["forward", 5 * hour],
  ] as const) {
    test(`lasts as long as it was given for, also when the machine's clock is set ${what}`, async (t) => {
      const stage = teamStage(t) as unknown as Parameters<typeof claimTask>[0] & ReturnType<typeof teamStage>;
      const { store, team, clock } = stage;
      const { id } = store.write((writer) => createTask(stage, writer, team, { title: "A thing" } as never, "ann"));
      const claim = (agent: string) =>
        store.write((writer) => claimTask(stage, writer, team, id, { agent, ttlMs: 60_000 }));
      const { lease } = claim("ann");
      const held = { agent: "ann", epoch: lease?.epoch ?? 0 };
      clock.setWall(by);
      await clock.advance(59_999);
      assert.throws(() => claim("bob"), /ann/);
      await clock.advance(1);
      assert.throws(() => store.write((writer) => finishTask(stage, writer, team, id, held, "completed")), /ran out/);
      assert.equal(claim("bob").lease?.holder, "bob");
    });
  }
});
