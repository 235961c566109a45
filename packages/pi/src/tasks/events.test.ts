import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { divide, missed } from "./delivery.ts";
import { expect, type Known, nothingKnown, observe, type TaskEvent } from "./events.ts";
import type { ScreenPrompt, Snapshot, TaskSnapshot } from "./snapshot.ts";
import { levelOf, sentences } from "./words.ts";

const running: TaskSnapshot = {
  windowId: "@1",
  windowName: "api",
  paneId: "%1",
  paneStateKnown: true,
  pid: 10,
  dead: false,
  bell: false,
};
const ended: TaskSnapshot = { ...running, dead: true, exitCode: 3, outputPreview: "one\n\ntwo\nthree\nfour" };
const question: ScreenPrompt = { text: "Overwrite? (y/n)", row: 5, size: "80x24" };
const asking: TaskSnapshot = { ...running, prompt: question };

type Look = readonly TaskSnapshot[] | "gone" | { readonly server: string; readonly tasks: readonly TaskSnapshot[] };

/** The events of each look, in words; looks are 2 s apart. */
function eventsOf(
  looks: readonly Look[],
  killed: readonly string[] = [],
  known: Known = nothingKnown,
): readonly string[] {
  return looks.map((look, at) => {
    const taken = observe(known, snapshotOf(look, at * 2_000), new Set(killed));
    // The state survives a round trip through the file.
    known = JSON.parse(JSON.stringify(taken.known));
    return taken.events.map(brief).join(", ");
  });
}

function snapshotOf(look: Look, at: number): Snapshot {
  if (look === "gone") return { exists: false, at, tasks: [] };
  if ("server" in look) return { exists: true, at, ...look };
  return { exists: true, at, server: "1:1", tasks: look };
}

function brief(event: TaskEvent): string {
  if (event.kind === "exited") return `${event.windowName} exited ${event.exitCode ?? event.exitSignal ?? "?"}`;
  return `${event.windowName} ${event.kind}${event.kind === "disappeared" && event.reason ? ` ${event.reason}` : ""}`;
}

describe("events of looks", () => {
  const cases: readonly (readonly [string, readonly Look[], readonly string[], (readonly string[])?])[] = [
    ["a new window started", ["gone", [running]], ["", "api started"]],
    ["a new window that is already dead exited", ["gone", [ended]], ["", "api exited 3"]],
    ["a window that died exited, once", [[running], [ended], [ended]], ["api started", "api exited 3", ""]],
    ["dead windows vanish silently", [[running], [ended], []], ["api started", "api exited 3", ""]],
    ["a live window that vanishes disappeared", [[running], []], ["api started", "api disappeared"]],
    [
      "so does every window of a session that is gone",
      [[running, { ...running, windowId: "@2", windowName: "web" }], "gone"],
      ["api started, web started", "api disappeared, web disappeared"],
    ],
    ["a user's own kill is named", [[running], "gone"], ["api started", "api disappeared user-killed"], ["@1"]],
    [
      "every bell is reported",
      [
        [running],
        [{ ...running, bell: true, bellCount: 1 }],
        [{ ...running, bell: true, bellCount: 1 }],
        [{ ...running, bell: true, bellCount: 2 }],
      ],
      ["api started", "api notify", "", "api notify"],
    ],
    [
      "a bell without a counter is reported by its flag",
      [[running], [{ ...running, bell: true }], [{ ...running, bell: true }]],
      ["api started", "api notify", ""],
    ],
    ["a bell before the first look is reported", [[{ ...running, bellCount: 1 }]], ["api started, api notify"]],
    [
      "bell and exit are reported in that order",
      [[running], [{ ...ended, bellCount: 1 }]],
      ["api started", "api notify, api exited 3"],
    ],
    [
      "a task started again in its window ends again",
      [[running], [ended], [{ ...running, pid: 11 }], [{ ...ended, pid: 11 }]],
      ["api started", "api exited 3", "", "api exited 3"],
    ],
    [
      "even if no look saw it running",
      [[running], [ended], [{ ...ended, pid: 11, exitCode: 4 }]],
      ["api started", "api exited 3", "api exited 4"],
    ],
    [
      "windows of another server are different tasks",
      [[running], { server: "2:2", tasks: [running] }],
      ["api started", "api started, api disappeared"],
    ],
    [
      "a question is reported once, when the second look finds it",
      [[running], [asking], [asking], [asking]],
      ["api started", "", "api input", ""],
    ],
    [
      "a question that is gone at the second look is not reported",
      [[running], [asking], [running], [asking]],
      ["api started", "", "", ""],
    ],
    [
      "the same question after other output is reported again",
      [[asking], [asking], [running], [asking], [asking]],
      ["api started", "api input", "", "", "api input"],
    ],
    [
      "the same question further down is reported again",
      [
        [asking],
        [asking],
        [{ ...asking, prompt: { ...question, row: 6 } }],
        [{ ...asking, prompt: { ...question, row: 6 } }],
      ],
      ["api started", "api input", "", "api input"],
    ],
    [
      "a resized pane has no new question",
      [
        [asking],
        [asking],
        [{ ...asking, prompt: { ...question, row: 9, size: "40x10" } }],
        [{ ...asking, prompt: { ...question, row: 9, size: "40x10" } }],
      ],
      ["api started", "api input", "", ""],
    ],
    [
      "a new run may ask the same question",
      [[asking], [asking], [{ ...asking, pid: 11 }], [{ ...asking, pid: 11 }]],
      ["api started", "api input", "", "api input"],
    ],
    [
      "a pane of which nothing is known yet has no question",
      [[running], [{ ...asking, paneStateKnown: false }], [{ ...asking, paneStateKnown: false }]],
      ["api started", "", ""],
    ],
    [
      "a dead pane has no question",
      [[running], [{ ...ended, prompt: question }], [{ ...ended, prompt: question }]],
      ["api started", "api exited 3", ""],
    ],
  ];
  for (const [name, looks, wanted, killed] of cases)
    test(`look by look: ${name}`, () => assert.deepEqual(eventsOf(looks, killed), wanted));

  test("two looks right after each other do not confirm a question", () => {
    const first = observe(nothingKnown, { exists: true, at: 0, tasks: [asking] });
    const second = observe(first.known, { exists: true, at: 20, tasks: [asking] });
    assert.deepEqual(second.events, []);
    assert.equal(observe(second.known, { exists: true, at: 2_000, tasks: [asking] }).events[0]?.kind, "input");
  });

  test("an announced task that no look saw has disappeared or exited", () => {
    const announced = expect(nothingKnown, { windowId: "@1", windowName: "api", taskCwd: "/p" });
    assert.deepEqual(eventsOf(["gone"], [], announced), ["api disappeared"]);
    assert.deepEqual(eventsOf([[ended], [ended]], [], announced), ["api exited 3", ""]);
    assert.deepEqual(eventsOf([[running], [ended]], [], announced), ["", "api exited 3"]);
  });
});

describe("delivery", () => {
  const started: TaskEvent = { kind: "started", windowId: "@1", windowName: "api" };
  const exited: TaskEvent = { kind: "exited", windowId: "@2", windowName: "web", exitCode: 0 };
  const killed: TaskEvent = { kind: "disappeared", windowId: "@3", windowName: "db", reason: "user-killed" };

  test("a start alone and a user's own kill are notices, the rest is one message", () => {
    assert.deepEqual(divide([started]), { notice: [started], message: [] });
    assert.deepEqual(divide([started, exited]), { notice: [], message: [started, exited] });
    assert.deepEqual(divide([killed, exited]), { notice: [killed], message: [exited] });
    assert.deepEqual(divide([killed]), { notice: [killed], message: [] });
  });

  test("only ends count as missed", () => assert.deepEqual(missed([started, exited]), [exited]));
});

describe("words", () => {
  const at = { windowId: "@12", windowName: "tests" };
  test("an exit shows the last lines", () => {
    const event: TaskEvent = { kind: "exited", ...at, exitCode: 3, outputPreview: "a\nb\n\nc\nd" };
    assert.equal(sentences([event]), "tmux task @12 (tests) exited with code 3\n  recent output:\n  b\n  c\n  d");
  });
  test("bell and exit become one sentence", () => {
    const events: TaskEvent[] = [
      { kind: "notify", ...at },
      { kind: "exited", ...at, exitCode: 0 },
    ];
    assert.equal(sentences(events), "tmux task @12 (tests) sent a terminal notification, then exited with code 0");
    assert.equal(levelOf(events), "info");
  });
  test("every event has its sentence", () => {
    const events: TaskEvent[] = [
      { kind: "started", ...at },
      { kind: "notify", ...at, windowId: "@13" },
      { kind: "input", ...at, prompt: "Continue? (y/n)" },
      { kind: "disappeared", ...at },
      { kind: "disappeared", ...at, reason: "user-killed" },
      { kind: "exited", ...at },
      { kind: "exited", ...at, exitSignal: 9 },
    ];
    assert.deepEqual(sentences(events).split("\n"), [
      "tmux task @12 (tests) started",
      "tmux task @13 (tests) sent a terminal notification",
      "tmux task @12 (tests) is waiting for input: Continue? (y/n)",
      "tmux task @12 (tests) disappeared from session",
      "tmux task @12 (tests) disappeared from session after the user manually killed it",
      "tmux task @12 (tests) exited with unknown code",
      "tmux task @12 (tests) was killed by signal 9",
    ]);
    assert.equal(levelOf(events), "warning");
  });
});
