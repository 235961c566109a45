import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { Decision } from "./hook-answers.ts";
import { waitForDecision } from "./hook-wait.ts";

const permission = (command: string): ShownQuestion => ({
  ...{ kind: "permission", text: "Claude wants to use Bash", options: [], freeText: false, region: "" },
  proposal: { tool: "Bash", command },
});
const nameless: ShownQuestion = { ...permission(""), proposal: {} };
const allow: Decision = { behavior: "allow" };

interface Timeline {
  /** The hooks that wait, by what they ask. */
  readonly hooks: readonly ShownQuestion[];
  readonly at: Readonly<Record<number, (stage: Stage, line: AbortController) => unknown>>;
  /** For each hook its decision and when it ended; `waits` when it never does. */
  readonly ends: readonly string[];
}

const answers = ({ hookAnswers, questions }: Stage) => hookAnswers.give(questions.of("t1")?.id ?? "", () => allow);
const withdraws = (stage: Stage) => {
  const { id = "" } = stage.questions.of("t1") ?? {};
  stage.pane.dialog = undefined;
  stage.looks();
  stage.hookAnswers.gone(id);
};

const timelines: Readonly<Record<string, Timeline>> = {
  "the question is there already": {
    hooks: [permission("make")],
    at: { 0: (stage) => stage.asks("make"), 3000: answers },
    ends: ["allow 3000"],
  },
  "the question appears late": {
    hooks: [permission("make")],
    at: { 4500: (stage) => stage.asks("make"), 60000: answers },
    ends: ["allow 60000"],
  },
  "no question appears: the hook is let go": { hooks: [permission("make")], at: {}, ends: ["nothing 6000"] },
  "its question waits in line behind another one": {
    hooks: [permission("make")],
    at: {
      1000: (stage) => stage.asks("test"),
      20000: (stage) => stage.asks("make"),
      21000: answers,
    },
    ends: ["allow 21000"],
  },
  "the question is withdrawn": {
    hooks: [permission("make")],
    at: { 100: (stage) => stage.asks("make"), 9000: withdraws },
    ends: ["nothing 9000"],
  },
  "the question in front of it is withdrawn, and its own never appears": {
    hooks: [permission("make")],
    at: { 100: (stage) => stage.asks("test"), 9000: withdraws },
    ends: ["nothing 14000"],
  },
  "two hooks of one question get the same answer, one of another question gets nothing": {
    hooks: [permission("make"), permission("make"), permission("test")],
    at: { 100: (stage) => stage.asks("make"), 1000: answers },
    ends: ["allow 1000", "allow 1000", "waits"],
  },
  "a hook that names no command is known by being alone": {
    hooks: [nameless],
    at: { 100: (stage) => stage.asks("make"), 1000: answers },
    ends: ["allow 1000"],
  },
  "a hook that names no command, beside another one, is not taken for it": {
    hooks: [nameless, permission("make")],
    at: { 100: (stage) => stage.asks("make"), 1000: answers },
    ends: ["waits", "allow 1000"],
  },
  "the agent hangs up": {
    hooks: [permission("make")],
    at: { 100: (stage) => stage.asks("make"), 2000: (_stage, line) => line.abort() },
    ends: ["nothing 2000"],
  },
  "the daemon closes": {
    hooks: [permission("make"), permission("test")],
    at: { 100: (stage) => stage.asks("make"), 2000: ({ hookAnswers }) => hookAnswers.close() },
    ends: ["nothing 2000", "nothing 2000"],
  },
  "a wall clock that is set does not let a hook go early": {
    hooks: [permission("make")],
    at: {
      1000: ({ clock }) => clock.setWall(3_600_000),
      4500: (stage) => stage.asks("make"),
      5000: answers,
    },
    ends: ["allow 5000"],
  },
};

describe("a hook that waits for an answer:", () => {
  for (const [name, { hooks, at, ends }] of Object.entries(timelines)) {
    test(name, async (t) => {
      const stage = await openStage(t);
      const { clock, passed, hookAnswers } = stage;
      const line = new AbortController();
      const { 0: first, ...later } = at;
      first?.(stage, line);
      for (const [ms, happen] of Object.entries(later)) {
        clock.timer(Number(ms), () => happen(stage, line));
      }
      const ended = hooks.map(() => "waits");
      const waiting = hooks.map((asked, index) =>
        waitForDecision(stage, "t1", asked, line.signal).then((decision) => {
          ended[index] = `${decision?.behavior ?? "nothing"} ${passed()}`;
        }),
      );
      await clock.advance(100_000);
      assert.deepEqual(ended, ends);
      assert.equal(hookAnswers.size, ends.filter((end) => end === "waits").length);
      hookAnswers.close();
      await Promise.all(waiting);
      assert.equal(clock.waiting, 0, "no timer is left");
    });
  }
});

test("a hook that comes when the daemon closes, or has hung up already, waits for nothing", async (t) => {
  const stage = await openStage(t);
  stage.asks("make");
  assert.equal(await waitForDecision(stage, "t1", permission("make"), AbortSignal.abort()), undefined);
  stage.hookAnswers.close();
  assert.equal(await waitForDecision(stage, "t1", permission("make"), new AbortController().signal), undefined);
  assert.equal(stage.clock.waiting, 0);
});
