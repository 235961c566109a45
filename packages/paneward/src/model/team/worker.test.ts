import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { newsOf, type Observation, type WorkerRecord } from "./worker.ts";

const fresh: WorkerRecord = {
  teamId: "demo",
  session: "worker1",
  agentId: "worker1",
  leader: "lead",
  threadId: "thread-0001",
  socket: "/s",
  cwd: "/",
  terminal: "t1",
  state: "working",
  since: 0,
  startedAt: 0,
  told: {},
};

function question(id: string): Question {
  const options = [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" },
  ];
  const rest = {
    terminal: "t1",
    kind: "confirm",
    options,
    freeText: false,
    source: "screen",
    screenHash: "h",
  } as const;
  return { id, text: "Go on?", state: "open", openedAt: 1, ...rest };
}

/** The texts for a leader after these observations, in order. */
function reported(
  ...steps: readonly (readonly [at: number, observation: Observation] | readonly [at: number, said: "speaks"])[]
) {
  let worker = fresh;
  const texts: string[] = [];
  for (const [at, observation] of steps) {
    if (observation === "speaks") worker = { ...worker, spokeAt: at };
    else {
      const news = newsOf(worker, observation, at);
      worker = news?.worker ?? worker;
      if (news?.text !== undefined) texts.push(news.text);
    }
  }
  return { texts, state: worker.state };
}

const works: Observation = { kind: "works" };
const asks = (id: string): Observation => ({ kind: "asks", question: question(id) });
const silent = (since: number): Observation => ({ kind: "silent", since, how: "idle" });
const ended: Observation = { kind: "ended", end: { kind: "exited", code: 3 } };

describe("what is reported about a worker", () => {
  test("an end is reported once, and nothing after it", () => {
    assert.deepEqual(reported([1, ended], [2, ended], [3, asks("q1")], [4, works]), {
      texts: ["worker1 ended with exit code 3"],
      state: "ended",
    });
  });

  test("each question is reported once, with its options, also when two sources report it", () => {
    const { texts, state } = reported([1, asks("q1")], [2, asks("q1")], [3, { kind: "asks_no_more" }], [4, asks("q2")]);
    assert.deepEqual(texts, ["worker1 asks: Go on?\n1. Yes  2. No", "worker1 asks: Go on?\n1. Yes  2. No"]);
    assert.equal(state, "asking");
  });

  test("a silence is reported once, and again only after some work", () => {
    const first = [[60_000, silent(10_000)] as const, [61_000, silent(10_000)] as const];
    assert.equal(reported(...first).texts.length, 1);
    const redrawn = [[70_000, works] as const, [140_000, silent(71_000)] as const];
    assert.equal(reported(...first, ...redrawn).texts.length, 1);
    const worked = [[150_000, works] as const, [300_000, silent(200_000)] as const];
    assert.deepEqual(reported(...first, ...redrawn, ...worked), {
      texts: Array(2).fill("worker1 has fallen silent: it runs, prints nothing and asks nothing"),
      state: "silent",
    });
  });

  test("no silence is reported after the worker posted, nor while it asks", () => {
    assert.deepEqual(reported([5_000, "speaks"], [60_000, silent(10_000)]), { texts: [], state: "silent" });
    assert.equal(reported([1, asks("q1")], [60_000, silent(2)]).texts.length, 1);
  });
});
