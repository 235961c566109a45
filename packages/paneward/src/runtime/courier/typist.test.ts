import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { PaneInput } from "../ports.ts";
import { type PaneAt, type PaneWriter, Typist } from "./typist.ts";

/** How long tmux takes to accept one thing here. */
const tmuxMs = 5;

/** A typist on panes that write down when they get what. */
function begin() {
  const clock = new FakeClock(0);
  const got: string[] = [];
  const arrives = async (pane: string, what: string) => {
    await clock.sleep(tmuxMs);
    if (what.includes("fails")) throw new Error(what);
    got.push(`${clock.monotonic()} ${pane} ${what}`);
  };
  const input: PaneInput = {
    type: (_host, { pane }, text) => arrives(pane, text),
    raw: (_host, { pane }, bytes) => arrives(pane, bytes),
    clear: (_host, { pane }) => arrives(pane, "clear"),
    press: async (_host, { pane }, keys, { pause }) => {
      for (const [at, key] of keys.entries()) {
        if (at > 0) await pause();
        await arrives(pane, key);
      }
    },
  };
  return { clock, got, typist: new Typist(input, clock) };
}

function pane(id: string, host = "local", server = "1.1"): PaneAt {
  return { host, place: { server, pane: id, pid: 7, session: "$1" } };
}

const answer = async (writer: PaneWriter) => {
  await writer.press({ keys: ["5"], pauseMs: 0 });
  await writer.pause(400);
  await writer.type("words");
  await writer.press({ keys: ["Enter"], pauseMs: 0 });
};

type Begun = (typist: Typist) => Promise<unknown>;

const cases: Readonly<Record<string, { readonly acts: Readonly<Record<number, Begun>>; readonly got: string[] }>> = {
  "a paste and a key press do not mix": {
    acts: { 0: (typist) => typist.type(pane("%1"), "text"), 1: (typist) => typist.raw(pane("%1"), "x") },
    got: ["5 %1 text", "10 %1 x"],
  },
  "keys with pauses come whole before what was begun in a pause": {
    acts: {
      0: (typist) => typist.press(pane("%1"), { keys: ["Up", "Up", "Enter"], pauseMs: 150 }),
      100: (typist) => typist.raw(pane("%1"), "x"),
    },
    got: ["5 %1 Up", "160 %1 Up", "315 %1 Enter", "320 %1 x"],
  },
  "an answer's steps are one act": {
    acts: {
      0: (typist) => typist.sequence(pane("%1"), answer),
      10: (typist) => typist.raw(pane("%1"), "x"),
      20: (typist) => typist.type(pane("%1"), "a delivery"),
    },
    got: ["5 %1 5", "410 %1 words", "415 %1 Enter", "420 %1 x", "425 %1 a delivery"],
  },
  "between two acts of a delivery a person's keys get through": {
    acts: {
      0: async (typist) => {
        await typist.type(pane("%1"), "a delivery");
        await typist.press(pane("%1"), { keys: ["Enter"], pauseMs: 0 });
      },
      1: (typist) => typist.raw(pane("%1"), "x"),
    },
    got: ["5 %1 a delivery", "10 %1 x", "15 %1 Enter"],
  },
  "panes do not wait for each other": {
    acts: {
      0: (typist) => typist.sequence(pane("%1"), answer),
      10: (typist) => typist.raw(pane("%2"), "x"),
      20: (typist) => typist.raw(pane("%1", "local", "2.2"), "y"),
    },
    got: ["5 %1 5", "15 %2 x", "25 %1 y", "410 %1 words", "415 %1 Enter"],
  },
  "one pane under two names of its host has one queue": {
    acts: {
      0: (typist) => typist.press(pane("%1"), { keys: ["a", "b"], pauseMs: 50 }),
      10: (typist) => typist.raw(pane("%1", "other name"), "x"),
    },
    got: ["5 %1 a", "60 %1 b", "65 %1 x"],
  },
  "an act that fails ends, and the next one begins": {
    acts: {
      0: (typist) => assert.rejects(typist.type(pane("%1"), "fails"), /fails/),
      1: (typist) => assert.rejects(typist.press(pane("%1"), { keys: ["a", "fails", "b"], pauseMs: 10 }), /fails/),
      2: (typist) => typist.raw(pane("%1"), "x"),
    },
    got: ["10 %1 a", "30 %1 x"],
  },
  "an act that fails before it types ends too": {
    acts: {
      0: (typist) =>
        assert.rejects(
          typist.sequence(pane("%1"), async () => Promise.reject(new Error("ended"))),
          /ended/,
        ),
      1: (typist) => typist.raw(pane("%1"), "x"),
    },
    got: ["6 %1 x"],
  },
  "a pane is cleared in its turn": {
    acts: {
      0: (typist) => typist.type(pane("%1"), "first"),
      1: (typist) => typist.sequence(pane("%1"), (writer) => writer.clear()),
    },
    got: ["5 %1 first", "10 %1 clear"],
  },
};

describe("a pane gets one act after the other", () => {
  for (const [name, { acts, got: expected }] of Object.entries(cases)) {
    test(name, async () => {
      const { clock, got, typist } = begin();
      const begun: Promise<unknown>[] = [];
      for (const [ms, act] of Object.entries(acts)) {
        await clock.advance(Number(ms) - clock.monotonic());
        begun.push(act(typist));
      }
      await clock.advance(10_000);
      await Promise.all(begun);
      assert.deepEqual(got, expected);
      assert.equal(typist.busy, 0, "nothing is left in a queue");
    });
  }
});

test("the result of an act, and marks and options, pass through", async () => {
  const seen: unknown[] = [];
  const note = async (...given: readonly unknown[]) => {
    seen.push(given.slice(2));
  };
  const input = { type: note, press: note, raw: note, clear: note } as unknown as PaneInput;
  const typist = new Typist(input, new FakeClock());
  const result = await typist.sequence(pane("%1"), async (writer) => {
    await writer.type("a", { mark: "d1 typed", paste: true });
    return "done";
  });
  await typist.press(pane("%1"), { keys: ["Enter"], pauseMs: 1, mark: "d1 submitted" });
  const [, [, { pause: _pause, ...options }]] = seen as [unknown, [unknown, { readonly pause: unknown }]];
  assert.deepEqual(
    [result, seen[0], options],
    ["done", ["a", { mark: "d1 typed", paste: true }], { mark: "d1 submitted" }],
  );
});
