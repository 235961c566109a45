import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { silenceSeconds, type TeamStage, teamStage } from "../../../test/support/team-stage.ts";
import { WorkerWatch } from "./worker-watch.ts";

const question: Question = {
  ...{ id: "q1", terminal: "t1", kind: "confirm", text: "Continue?", options: [], freeText: false, state: "open" },
  ...{ openedAt: 1, source: "screen", screenHash: "h" },
};

const unread = "worker1 has fallen silent: it runs, prints nothing, and its screen is not understood";
const hangs = "worker1 has fallen silent: it runs, prints nothing, and it says that it works but uses no CPU";
const silence = "worker1 has fallen silent: it runs, prints nothing and asks nothing";
const asks = "worker1 asks: Continue?";

type Step = readonly [atSeconds: number, what: (stage: TeamStage) => void];

const idle: Step[1] = (stage) => stage.turn("idle");
const working: Step[1] = (stage) => stage.turn("working");
const waiting: Step[1] = (stage) => stage.turn("needs_input");
const starting: Step[1] = (stage) => stage.turn("working", { source: "start" });
const stuck: Step[1] = (stage) => stage.turn("working", { detail: "stuck" });
const prints: Step[1] = (stage) => stage.prints();
const isUnderstood: Step[1] = (stage) => stage.isUnderstood();
const opens: Step[1] = (stage) => stage.opens(question);
const closes: Step[1] = (stage) => stage.closes(question);
const ends: Step[1] = (stage) => stage.ends(0);
const setClock =
  (seconds: number): Step[1] =>
  (stage) =>
    stage.clock.setWall(seconds * 1_000);

/** Every message with the second at which it was written. */
async function reported(
  t: Cleanup,
  steps: readonly Step[],
  seconds: number,
): Promise<readonly (readonly [number, string])[]> {
  const stage = teamStage(t);
  const watch = new WorkerWatch(stage);
  stage.addWorker();
  const found: (readonly [number, string])[] = [];
  for (let second = 0; second <= seconds; second++) {
    for (const [at, what] of steps) if (at === second) what(stage);
    await stage.clock.advance(0);
    await stage.clock.advance(0);
    for (const message of stage.messages().slice(found.length)) found.push([second, message]);
    await stage.clock.advance(1_000);
  }
  watch.close();
  assert.deepEqual([stage.errors, stage.clock.waiting], [[], 0]);
  return found;
}

describe("a worker's silence", () => {
  const table: readonly (readonly [name: string, steps: readonly Step[], seconds: number, found: unknown])[] = [
    ["is reported once, a minute after it became idle", [[10, idle]], 300, [[70, silence]]],
    ["is not reported while it works", [], 300, []],
    [
      "begins anew after work",
      [
        [10, idle],
        [60, working],
        [80, idle],
      ],
      300,
      [[140, silence]],
    ],
    [
      "is reported again after more work",
      [
        [10, idle],
        [100, working],
        [200, idle],
      ],
      400,
      [
        [70, silence],
        [260, silence],
      ],
    ],
    [
      "is not reported again after a mere redraw",
      [
        [10, idle],
        [100, working],
        [102, idle],
      ],
      400,
      [[70, silence]],
    ],
    [
      "is not reported while it asks",
      [
        [10, waiting],
        [10, opens],
      ],
      300,
      [[10, asks]],
    ],
    [
      "is reported after an answer",
      [
        [10, waiting],
        [10, opens],
        [30, idle],
        [30, closes],
      ],
      300,
      [
        [10, asks],
        [90, silence],
      ],
    ],
    [
      "is reported when the question closes last",
      [
        [10, waiting],
        [10, opens],
        [30, idle],
        [31, closes],
      ],
      300,
      [
        [10, asks],
        [91, silence],
      ],
    ],
    ["is reported although nothing that it shows was ever understood", [[0, starting]], 300, [[60, unread]]],
    [
      "counts from the last output while nothing is understood",
      [
        [0, starting],
        [30, prints],
        [80, prints],
      ],
      300,
      [[140, unread]],
    ],
    [
      "is not reported while it works after a long start",
      [
        [0, starting],
        [50, isUnderstood],
      ],
      300,
      [],
    ],
    [
      "is reported again after a start that was not understood and then work",
      [
        [0, starting],
        [100, isUnderstood],
        [102, idle],
      ],
      300,
      [
        [60, unread],
        [162, silence],
      ],
    ],
    ["is reported of work that is stuck", [[10, stuck]], 300, [[70, hangs]]],
    [
      "is not reported after its end",
      [
        [10, idle],
        [50, ends],
      ],
      300,
      [[50, "worker1 ended with exit code 0"]],
    ],
    [
      "keeps its deadline when the clock is set back",
      [
        [10, idle],
        [40, setClock(-3_600)],
      ],
      300,
      [[70, silence]],
    ],
    [
      "keeps its deadline when the clock is set forward",
      [
        [10, idle],
        [40, setClock(3_600)],
      ],
      300,
      [[70, silence]],
    ],
  ];
  for (const [name, steps, seconds, found] of table) {
    test(name, async (t) => assert.deepEqual(await reported(t, steps, seconds), found));
  }
  assert.equal(silenceSeconds, 60);
});

describe("a daemon that was away", () => {
  test("reports the end of a worker once", async (t) => {
    const stage = teamStage(t);
    stage.addWorker();
    stage.store.write((writer) => writer.removeTerminal("t1"));
    for (let round = 0; round < 2; round++) {
      const watch = new WorkerWatch(stage);
      watch.catchUp();
      watch.close();
    }
    assert.deepEqual(stage.messages(), ["worker1 ended; how is not known"]);
    assert.equal(stage.worker()?.state, "ended");
  });

  test("counts the silence from before it was away", async (t) => {
    const stage = teamStage(t);
    stage.addWorker();
    stage.turn("idle");
    await stage.clock.advance(45_000);
    const watch = new WorkerWatch(stage);
    watch.catchUp();
    assert.equal(await stage.clock.until("the silence is reported", () => stage.messages().length > 0), 15_000);
    watch.close();
  });
});

test("a configuration that cannot be read is logged", async (t) => {
  const stage = teamStage(t, () => Promise.reject(new Error("broken")));
  const watch = new WorkerWatch(stage);
  stage.addWorker();
  await stage.clock.advance(0);
  await stage.clock.advance(0);
  assert.deepEqual(stage.errors, ["a worker's silence could not be reported"]);
  watch.close();
});
