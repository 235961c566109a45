import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { newsOf, type Seen, type WorkerRecord } from "./worker.ts";

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

/** What a leader hears when these things are seen, one after another. */
function heard(...steps: readonly (readonly [at: number, seen: Seen] | readonly [at: number, said: "speaks"])[]) {
  let worker = fresh;
  const texts: string[] = [];
  for (const [at, seen] of steps) {
    if (seen === "speaks") worker = { ...worker, spokeAt: at };
    else {
      const news = newsOf(worker, seen, at);
      worker = news?.worker ?? worker;
      if (news?.text !== undefined) texts.push(news.text);
    }
  }
  return { texts, state: worker.state };
}

const works: Seen = { kind: "works" };
const asks = (id: string): Seen => ({ kind: "asks", question: question(id) });
const silent = (since: number): Seen => ({ kind: "silent", since });
const ended: Seen = { kind: "ended", end: { kind: "exited", code: 3 } };

describe("what a leader is told about a worker", () => {
  test("an end, once, and nothing after it", () => {
    assert.deepEqual(heard([1, ended], [2, ended], [3, asks("q1")], [4, works]), {
      texts: ["worker1 ended with exit code 3"],
      state: "ended",
    });
  });

  test("each question once, with its options; the same one told by two witnesses is one", () => {
    const { texts, state } = heard([1, asks("q1")], [2, asks("q1")], [3, { kind: "asks_no_more" }], [4, asks("q2")]);
    assert.deepEqual(texts, ["worker1 asks: Go on?\n1. Yes  2. No", "worker1 asks: Go on?\n1. Yes  2. No"]);
    assert.equal(state, "asking");
  });

  test("a silence, once, until it has worked for a while", () => {
    const first = [[60_000, silent(10_000)] as const, [61_000, silent(10_000)] as const];
    assert.equal(heard(...first).texts.length, 1);
    const redrawn = [[70_000, works] as const, [140_000, silent(71_000)] as const];
    assert.equal(heard(...first, ...redrawn).texts.length, 1);
    const worked = [[150_000, works] as const, [300_000, silent(200_000)] as const];
    assert.deepEqual(heard(...first, ...redrawn, ...worked), {
      texts: Array(2).fill("worker1 has fallen silent: it runs, prints nothing and asks nothing"),
      state: "silent",
    });
  });

  test("no silence after it has reported by itself, and none while it asks", () => {
    assert.deepEqual(heard([5_000, "speaks"], [60_000, silent(10_000)]), { texts: [], state: "silent" });
    assert.equal(heard([1, asks("q1")], [60_000, silent(2)]).texts.length, 1);
  });
});
