import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import { interrupt } from "./interrupt.ts";

interface Timeline {
  readonly program?: string;
  readonly before: (stage: Stage) => void;
  readonly at?: Readonly<Record<number, (stage: Stage) => void>>;
  /** The answer or the error, and when it comes. */
  readonly is: readonly [object | string, number];
  readonly got?: readonly string[];
  readonly server?: readonly string[];
}

const works = ({ heard }: Stage) => {
  heard.says = "working";
};
const rests = ({ heard }: Stage) => {
  heard.says = "idle";
};
const serves = (stage: Stage) => {
  works(stage);
  stage.heard.server = { asked: [], got: [], says: () => ({ kind: "said", status: 200, body: true }) };
};

const timelines: Readonly<Record<string, Timeline>> = {
  "an agent that works gets its keys, and the call returns when it rests": {
    before: works,
    at: { 700: rests },
    is: [{ id: "t1", interrupted: true, by: "keys" }, 700],
    got: ["0 Escape"],
  },
  "an agent that rests is left alone": { before: () => {}, is: [{ id: "t1", interrupted: false }, 0], got: [] },
  "an agent that is asked over HTTP gets no key": {
    before: serves,
    at: { 300: rests },
    is: [{ id: "t1", interrupted: true, by: "http" }, 300],
    got: [],
    server: ["/abort"],
  },
  "an agent that does not rest by HTTP gets keys": {
    before: serves,
    at: { 12000: rests },
    is: [{ id: "t1", interrupted: true, by: "keys" }, 12_000],
    got: ["10050 Escape"],
    server: ["/abort"],
  },
  "an agent whose server is not reached gets keys at once": {
    before: (stage) => {
      works(stage);
      stage.heard.server = { asked: [], got: [], says: () => ({ kind: "unreached", reason: "refused" }) };
    },
    at: { 200: rests },
    is: [{ id: "t1", interrupted: true, by: "keys" }, 200],
    got: ["0 Escape"],
  },
  "an agent that works on: the outcome is unknown": {
    before: works,
    is: ["outcome_unknown: the interrupt keys were pressed, but the agent is still working", 15_050],
    got: ["0 Escape"],
  },
  "a question is open: nothing to interrupt": {
    before: (stage) => {
      works(stage);
      stage.asks("touch made");
    },
    is: ["wrong_state: it is waiting for an answer; nothing to interrupt", 0],
    got: [],
  },
  "a program that is no agent": {
    program: "cat",
    before: works,
    is: ["wrong_state: shop is not an agent; only an agent's turn can be interrupted", 0],
    got: [],
  },
  "a program that ended": {
    before: (stage) => stage.end(),
    is: ["wrong_state: the program in shop (t1) no longer runs; nothing more was typed", 0],
    got: [],
  },
};

describe("an interrupt:", () => {
  for (const [name, { program, before, at = {}, is, got, server }] of Object.entries(timelines)) {
    test(name, async (t) => {
      const stage = await openStage(t, program);
      const { clock, pane, passed } = stage;
      before(stage);
      for (const [ms, happen] of Object.entries(at)) clock.timer(Number(ms), () => happen(stage));
      const outcome = await stage.outcome(interrupt(stage, "t1", stage.caller));
      const words = outcome instanceof PanewardError ? `${outcome.code}: ${outcome.message}` : outcome;
      assert.deepEqual([words, passed()], is);
      assert.deepEqual(pane.got, got);
      if (server) assert.deepEqual(stage.heard.server?.got, server);
    });
  }
});

test("a caller that leaves is not waited for", async (t) => {
  const stage = await openStage(t);
  works(stage);
  const line = new AbortController();
  stage.clock.timer(1_000, () => line.abort());
  await stage.outcome(interrupt(stage, "t1", { ...stage.caller, signal: line.signal }));
  assert.equal(stage.passed(), 1_000);
});
