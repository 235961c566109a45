import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { Decision } from "./hook-answers.ts";
import { waitForDecision } from "./hook-wait.ts";

const question: ShownQuestion = {
  ...{ kind: "permission", text: "Claude wants to use Bash", options: [], freeText: false, region: "" },
};
const allow: Decision = { behavior: "allow" };

interface Timeline {
  /** The hooks that wait, by their request. */
  readonly hooks: readonly string[];
  readonly at: Readonly<Record<number, (stage: Stage, line: AbortController) => unknown>>;
  /** For each hook its decision and when it ended; `waits` when it never does. */
  readonly ends: readonly string[];
}

const answers = ({ hookAnswers, questions }: Stage) => hookAnswers.give(questions.of("t1")?.request, () => allow);
const withdraws = (stage: Stage) => {
  const { request = "" } = stage.questions.of("t1") ?? {};
  stage.pane.dialog = undefined;
  stage.looks();
  stage.hookAnswers.gone(request);
};

const timelines: Readonly<Record<string, Timeline>> = {
  "the question is there already": {
    hooks: ["h1"],
    at: { 0: (stage) => stage.asks("make", "h1"), 3000: answers },
    ends: ["allow 3000"],
  },
  "the question appears late": {
    hooks: ["h1"],
    at: { 4500: (stage) => stage.asks("make", "h1"), 60000: answers },
    ends: ["allow 60000"],
  },
  "no question appears: the hook is let go": { hooks: ["h1"], at: {}, ends: ["nothing 6000"] },
  "its question waits in line behind another one": {
    hooks: ["h1"],
    at: {
      1000: (stage) => stage.asks("test", "h2"),
      20000: (stage) => stage.asks("make", "h1"),
      21000: answers,
    },
    ends: ["allow 21000"],
  },
  "the question is withdrawn": {
    hooks: ["h1"],
    at: { 100: (stage) => stage.asks("make", "h1"), 9000: withdraws },
    ends: ["nothing 9000"],
  },
  "the question in front of it is withdrawn, and its own never appears": {
    hooks: ["h1"],
    at: { 100: (stage) => stage.asks("test", "h2"), 9000: withdraws },
    ends: ["nothing 14000"],
  },
  "one hook of two gets the answer, the other one is let go, and one of another request waits on": {
    hooks: ["h1", "h1", "h2"],
    at: { 100: (stage) => stage.asks("make", "h1"), 1000: answers },
    ends: ["allow 1000", "nothing 1000", "waits"],
  },
  "identical commands are two requests": {
    hooks: ["h1", "h2"],
    at: { 100: (stage) => stage.asks("make", "h2"), 1000: answers },
    ends: ["waits", "allow 1000"],
  },
  "the agent hangs up": {
    hooks: ["h1"],
    at: { 100: (stage) => stage.asks("make", "h1"), 2000: (_stage, line) => line.abort() },
    ends: ["nothing 2000"],
  },
  "the daemon closes": {
    hooks: ["h1", "h2"],
    at: { 100: (stage) => stage.asks("make", "h1"), 2000: ({ hookAnswers }) => hookAnswers.close() },
    ends: ["nothing 2000", "nothing 2000"],
  },
  "a wall clock that is set does not let a hook go early": {
    hooks: ["h1"],
    at: {
      1000: ({ clock }) => clock.setWall(3_600_000),
      4500: (stage) => stage.asks("make", "h1"),
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
      const waiting = hooks.map((request, index) =>
        waitForDecision(stage, { terminal: "t1", request, question }, line.signal).then((decision) => {
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
  stage.asks("make", "h1");
  assert.equal(
    await waitForDecision(stage, { terminal: "t1", request: "h1", question }, AbortSignal.abort()),
    undefined,
  );
  stage.hookAnswers.close();
  assert.equal(
    await waitForDecision(stage, { terminal: "t1", request: "h1", question }, new AbortController().signal),
    undefined,
  );
  assert.equal(stage.clock.waiting, 0);
});
