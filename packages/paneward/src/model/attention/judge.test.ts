import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Evidence, Says, Witness } from "./evidence.ts";
import { judge, type Verdict } from "./judge.ts";
import { nextChange } from "./next-change.ts";
import { remember } from "./remember.ts";
import { type Steady, steady } from "./steady.ts";

const minute = 60_000;
const said = (witness: Witness, says: Says, at: number, more: Partial<Evidence> = {}): Evidence => ({
  witness,
  says,
  at,
  rule: `${witness} says ${says}`,
  ...more,
});

describe("the order of witnesses", () => {
  const order: readonly Witness[] = ["exit", "hook", "screen", "title", "bell", "output", "silence"];
  for (const [index, stronger] of order.entries()) {
    for (const weaker of order.slice(index + 1)) {
      test(`${stronger} before ${weaker} when both speak at once`, () => {
        const evidence = [said(weaker, "idle", 1_000), said(stronger, "working", 1_000)];
        assert.equal(judge(evidence, 1_000).why.source, stronger);
      });
    }
  }

  test("among the agent's own words the newest counts", () => {
    const own = (hook: number, file: number, extension: number) =>
      judge(
        [said("hook", "working", hook), said("state_file", "idle", file), said("extension", "needs_input", extension)],
        100,
      ).says;
    assert.deepEqual([own(3, 2, 1), own(1, 3, 2), own(1, 2, 3)], ["working", "idle", "needs_input"]);
  });

  test("an agent that reports after an exit runs again", () => {
    const evidence = [said("exit", "unknown", 1_000), said("hook", "idle", 5_000)];
    assert.equal(judge(evidence, 6_000).says, "idle");
    assert.equal(judge([said("exit", "unknown", 1_000), said("title", "idle", 5_000)], 6_000).why.source, "exit");
  });
});

describe("age", () => {
  test("a hook that reports work is not believed forever", () => {
    const evidence = [said("hook", "working", 0), said("output", "working", 0), said("silence", "idle", 1_000)];
    assert.equal(judge(evidence, 59 * minute).says, "working");
    assert.equal(judge(evidence, 61 * minute).says, "idle");
  });

  test("silence means idle only when no stronger witness says working", () => {
    for (const witness of ["hook", "state_file", "screen", "title", "osc"] as const) {
      assert.equal(judge([said(witness, "working", 0), said("silence", "idle", 5_000)], 9_000).says, "working");
    }
    assert.equal(judge([said("silence", "idle", 5_000)], 9_000).says, "idle");
  });

  test("a title that is looked at again overrules a hook, one that is not does not", () => {
    const hook = said("hook", "working", 1_000);
    assert.equal(judge([hook, said("title", "idle", 500)], 9_000).says, "working");
    assert.equal(judge([hook, said("title", "idle", 500, { seenAt: 2_500 })], 9_000).says, "idle");
  });

  test("a bell counts for minutes, a request for half a day, an extension for an hour", () => {
    const lasts = (witness: Witness, says: Says, minutes: number) =>
      [minutes - 1, minutes + 1].map((age) => judge([said(witness, says, 0)], age * minute).says);
    assert.deepEqual(lasts("bell", "needs_input", 5), ["needs_input", "unknown"]);
    assert.deepEqual(lasts("hook", "needs_input", 12 * 60), ["needs_input", "unknown"]);
    assert.deepEqual(lasts("extension", "working", 60), ["working", "unknown"]);
  });

  test("a silence that output has broken is not idle", () => {
    const evidence = [said("silence", "idle", 3_000), said("output", "working", 5_000)];
    assert.equal(judge(evidence, 7_000).says, "unknown");
  });

  test("the state file yields to a question only", () => {
    const file = said("state_file", "working", 1_000);
    assert.equal(judge([file, said("title", "idle", 5_000)], 9_000).says, "working");
    assert.equal(judge([file, said("screen", "idle", 5_000)], 9_000).says, "working");
    assert.equal(judge([file, said("screen", "needs_input", 5_000)], 9_000).says, "needs_input");
  });

  test("an open question wins over a hook even while a clock ticks on the screen", () => {
    const hook = said("hook", "working", 1_000);
    const output = said("output", "working", 8_900);
    const question = (seenAt: number) => said("screen", "needs_input", 5_000, { seenAt });
    assert.equal(judge([hook, output, question(8_900)], 9_000).says, "needs_input");
    assert.equal(judge([said("state_file", "working", 1_000), output, question(8_900)], 9_000).says, "working");
  });

  test("background work without further reports ends with the hook's lifetime", () => {
    const evidence = [said("hook", "working", 0, { detail: "background_work" }), said("state_file", "idle", 100)];
    assert.equal(judge(evidence, 59 * minute).detail, "background_work");
    assert.equal(judge(evidence, 61 * minute).says, "idle");
  });
});

describe("reasons of their own", () => {
  const working = [said("hook", "working", 0), said("output", "working", minute)];
  const stuck = (cpuIdleSince: number | undefined, now: number) =>
    judge(working, now, { stuckAfterMs: 10 * minute, ...(cpuIdleSince === undefined ? {} : { cpuIdleSince }) });

  test("stuck: claims to work, silent and without CPU for ten minutes", () => {
    assert.equal(stuck(2 * minute, 11 * minute).detail, undefined);
    assert.partialDeepStrictEqual(stuck(2 * minute, 12 * minute), {
      says: "working",
      detail: "stuck",
      why: { since: 12 * minute },
    });
    assert.equal(stuck(undefined, 50 * minute).detail, undefined, "it uses CPU, or that was not checked");
  });

  test("a dead end keeps its reason when the agent itself says the same", () => {
    const evidence = [said("hook", "idle", 0), said("screen", "idle", 0, { detail: "quota_reached" })];
    assert.equal(judge(evidence, 5_000).detail, "quota_reached");
  });
});

describe("why", () => {
  test("names source, rule, since and the question, and lists every witness", () => {
    const question = { text: "Overwrite?" };
    const verdict = judge(
      [
        said("hook", "needs_input", 1_000),
        said("screen", "needs_input", 1_500, { question }),
        said("title", "working", 200),
        said("output", "working", 1_500),
        said("osc", "unknown", 0),
      ],
      4_000,
    );
    assert.deepEqual(verdict.why, {
      source: "hook",
      rule: "hook says needs_input",
      since: 1_000,
      evidence: "Overwrite?",
    });
    assert.deepEqual(verdict.question, question);
    assert.deepEqual(
      verdict.witnesses.map(({ because }) => because),
      [
        "no stronger witness contradicts it",
        "it agrees with the hook",
        "the hook is stronger",
        "it is too old",
        "it does not know",
      ],
    );
  });

  test("names the rule by which a weaker witness won", () => {
    const verdict = judge([said("hook", "needs_input", 1_000), said("title", "idle", 5_000)], 5_000);
    assert.equal(verdict.witnesses[1]?.because, "against the hook: the title changed after that");
    assert.equal(verdict.witnesses[0]?.because, "the title is fresher");
  });
});

describe("memory", () => {
  test("keeps the newest word of each witness, and the first date of a word that is repeated", () => {
    const first = remember([], said("title", "working", 1));
    const again = remember(first, said("title", "working", 5));
    assert.deepEqual(again, [said("title", "working", 1, { seenAt: 5 })]);
    assert.deepEqual(remember(again, said("title", "idle", 9)), [said("title", "idle", 9)]);
    assert.equal(remember(again, said("hook", "idle", 9)).length, 2);
  });

  test("a late report is ignored, and a second hook is a new report", () => {
    const hook = [said("hook", "idle", 5)];
    assert.equal(remember(hook, said("hook", "working", 4)), hook);
    assert.deepEqual(remember(hook, said("hook", "idle", 7)), [said("hook", "idle", 7)]);
  });

  test("a file that brings its own date keeps it", () => {
    const file = (at: number, seenAt: number) => said("state_file", "working", at, { seenAt });
    assert.deepEqual(remember([file(1, 2)], file(1, 9)), [file(1, 9)]);
    assert.deepEqual(remember([file(1, 2)], file(5, 9)), [file(5, 9)]);
  });

  test("another question is another fact", () => {
    const asks = (text: string, at: number) => said("screen", "needs_input", at, { question: { text } });
    assert.equal(remember([asks("a?", 1)], asks("a?", 5))[0]?.at, 1);
    assert.equal(remember([asks("a?", 1)], asks("b?", 5))[0]?.at, 5);
  });
});

describe("a steady answer", () => {
  const from = (witness: Witness, says: Says): Verdict => judge([said(witness, says, 0)], 0);
  const walk = (steps: readonly (readonly [number, Verdict, Says])[]) => {
    let state: Steady | undefined;
    for (const [now, verdict, shown] of steps) {
      state = steady(state, verdict, now, 300);
      assert.equal(state.shown.says, shown, `at ${now}`);
    }
    return state;
  };

  test("an unsure one must last, a flicker is not shown", () => {
    walk([
      [0, from("title", "working"), "working"],
      [100, from("title", "idle"), "working"],
      [200, from("title", "working"), "working"],
      [300, from("title", "idle"), "working"],
      [599, from("title", "idle"), "working"],
      [600, from("title", "idle"), "idle"],
    ]);
  });

  test("a sure one is shown at once", () => {
    walk([
      [0, from("title", "working"), "working"],
      [1, from("state_file", "idle"), "idle"],
      [2, from("hook", "needs_input"), "needs_input"],
      [3, from("exit", "unknown"), "unknown"],
    ]);
  });

  test("Stop before a queued prompt runs is not shown as idle while the file stays busy", () => {
    const file = (seenAt: number) => said("state_file", "working", 0, { seenAt });
    const at = (now: number, ...evidence: readonly Evidence[]) => judge(evidence, now);
    const stop = said("hook", "idle", 3_000);
    walk([
      [2_900, at(2_900, said("hook", "working", 1_000), file(2_900)), "working"],
      [3_000, at(3_000, stop, file(2_900)), "working"],
      [3_100, at(3_100, stop, file(3_100)), "working"],
      [3_250, at(3_250, stop, file(3_250)), "working"],
      [3_400, at(3_400, stop, said("state_file", "idle", 3_400)), "idle"],
    ]);
  });

  test("says when to judge again", () => {
    const state = walk([
      [0, from("screen", "working"), "working"],
      [50, from("screen", "needs_input"), "working"],
    ]);
    assert.deepEqual([state?.recheckAt, state?.next], [350, { says: "needs_input", since: 50 }]);
  });
});

describe("the next change without news", () => {
  const cases: readonly (readonly [string, readonly Evidence[], number | undefined])[] = [
    ["output grows old", [said("output", "working", 9_500)], 10_501],
    ["a question has stood long enough", [said("screen", "needs_input", 9_900)], 10_600],
    ["a file changes only by itself", [said("state_file", "working", 9_000)], undefined],
    ["what is past does not come again", [said("output", "working", 1_000)], undefined],
  ];
  for (const [name, evidence, expected] of cases) {
    test(name, () => assert.equal(nextChange(evidence, 10_000), expected));
  }

  test("an agent gets stuck", () => {
    const known = { stuckAfterMs: 5_000, cpuIdleSince: 9_000 };
    assert.equal(nextChange([said("state_file", "working", 2_000)], 10_000, known), 14_000);
  });
});
