import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question, Status } from "@paneward/sdk";
import { AttentionStage, robot } from "../../../test/support/attention-stage.ts";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { restoredEvidence } from "./restored-evidence.ts";

const clock = new FakeClock(100_000);
const question = (more: Partial<Question> = {}): Question => ({
  ...{ id: "q1", terminal: "t1", kind: "permission", text: "make", options: [], freeText: false, state: "open" },
  ...{ source: "screen", screenHash: "ab12", openedAt: 90_000 },
  ...more,
});
const agent = (state: AgentRecord["state"], hookedAt?: number) =>
  ({ id: "a1", state, stateSince: 80_000, ...(hookedAt === undefined ? {} : { hookedAt }) }) as AgentRecord;
const reported = (status: Status, source: string, detail?: string, since = 70_000) =>
  ({ status, why: { source, rule: "", since, ...(detail && { detail }) } }) as TerminalRecord["lastReported"];

describe("evidence from before the daemon started", () => {
  for (const [name, found, expected] of [
    ["nothing", restoredEvidence(clock, undefined, undefined, undefined), []],
    ["a drawn question", restoredEvidence(clock, question(), undefined, undefined), ["screen needs_input 90000"]],
    [
      "a question from a hook, not drawn",
      restoredEvidence(clock, question({ screenHash: "", source: "hook" }), undefined, undefined),
      ["hook needs_input 90000"],
    ],
    [
      "a request of a hook that ended with the daemon before: it waits, and since now",
      restoredEvidence(clock, question({ screenHash: "", request: "hook-1" }), undefined, undefined),
      ["hook needs_input 100000"],
    ],
    [
      "the same request, drawn",
      restoredEvidence(clock, question({ request: "hook-1" }), undefined, undefined),
      ["screen needs_input 90000"],
    ],
    [
      "a question from a file, not drawn",
      restoredEvidence(clock, question({ screenHash: "", source: "state_file" }), undefined, undefined),
      ["state_file needs_input 90000"],
    ],
    [
      "a question is stronger than what was reported before",
      restoredEvidence(clock, question(), agent("processing", 1), reported("Running", "hook")),
      ["screen needs_input 90000"],
    ],
    [
      "an agent with hooks at work",
      restoredEvidence(clock, undefined, agent("processing", 1), undefined),
      ["hook working 80000"],
    ],
    ["at rest", restoredEvidence(clock, undefined, agent("complete", 1), undefined), ["hook idle 80000"]],
    [
      "hooks and what the screen said last",
      restoredEvidence(clock, undefined, agent("complete", 1), reported("Idle", "screen")),
      ["hook idle 80000", "screen idle 70000"],
    ],
    [
      "without hooks",
      restoredEvidence(clock, undefined, agent("complete"), reported("Running", "title")),
      ["title working 70000"],
    ],
    ["silence follows anew", restoredEvidence(clock, undefined, undefined, reported("Idle", "silence")), []],
    ["output follows anew", restoredEvidence(clock, undefined, undefined, reported("Running", "output")), []],
    [
      "a quota stays, a hang is found anew",
      ["quota_reached", "stuck"].flatMap((detail) =>
        restoredEvidence(clock, undefined, undefined, reported("Idle", "screen", detail)),
      ),
      ["screen idle 70000 quota_reached", "screen idle 70000"],
    ],
    [
      "a date in the future, written before the clock was set back",
      restoredEvidence(clock, question({ openedAt: 9_000_000 }), undefined, undefined),
      ["screen needs_input 100000"],
    ],
  ] as const) {
    test(name, () => {
      const words = found.map(({ witness, says, at, detail }) => [witness, says, at, detail].filter(Boolean).join(" "));
      assert.deepEqual(words, expected);
    });
  }

  const restart = (lastReported: TerminalRecord["lastReported"], asked?: Question) => {
    const stage = new AttentionStage();
    const known = restoredEvidence(stage.clock, asked, undefined, lastReported);
    stage.start(robot, known, { lastReported, startedAt: stage.clock.now() - 50_000 });
    return stage;
  };
  const askedBefore = (stage: AttentionStage) => stage.attention.attention("t1")?.says;

  test("a question stays open until two looks find it gone; old output of the journal changes nothing", async () => {
    const stage = restart(reported("Waiting", "screen"), question({ openedAt: 99_990_000 }));
    stage.becomes("rests");
    stage.prints();
    stage.prints(true);
    assert.equal(askedBefore(stage), "needs_input");
    assert.deepEqual(stage.changes, [], "what was known is no news");
    await stage.clock.advance(5_000);
    assert.deepEqual(stage.changes, ["300 idle by screen, 300 old"]);
  });

  test("what a hook asked that ended with the daemon before is news, without its words", async () => {
    const stage = restart(reported("Waiting", "hook"), question({ screenHash: "", request: "hook-1" }));
    await stage.clock.advance(2_000);
    assert.match(stage.changes.join(), /^1000 needs_input by hook ".*its hook has ended: make" undrawn, 1000 old$/);
  });

  test("a screen that shows the same changes nothing", async () => {
    const stage = restart(reported("Idle", "screen", undefined, 99_990_000));
    stage.becomes("rests");
    await stage.clock.advance(60_000);
    assert.deepEqual(stage.changes, []);
    assert.equal(stage.status, "idle by screen");
  });

  for (const by of [-3_600_000, 86_400_000]) {
    test(`evidence keeps its age when the clock is set by ${by} ms`, async () => {
      const stage = restart(reported("Idle", "screen"), question({ openedAt: 99_990_000 }));
      await stage.clock.advance(100);
      stage.clock.setWall(by);
      assert.equal(askedBefore(stage), "needs_input");
      assert.equal(stage.clock.now() - (stage.attention.attention("t1")?.why.since ?? 0), 10_100);
      await stage.clock.advance(43_000_000);
      assert.deepEqual(stage.changes.length, 1, String(stage.changes));
    });
  }
});
