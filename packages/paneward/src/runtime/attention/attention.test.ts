import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AttentionStage, robot } from "../../../test/support/attention-stage.ts";

/** What happens at which millisecond, and every change of the verdict that follows. */
interface Timeline {
  readonly happens: readonly (readonly [at: number, happens: (stage: AttentionStage) => void])[];
  readonly until: number;
  readonly changes: readonly string[];
}

const start = (stage: AttentionStage) => stage.start();
const startAgent = (stage: AttentionStage) => stage.start(robot);
const prints = (stage: AttentionStage) => stage.prints();
const shows = (line: string, title?: string) => (stage: AttentionStage) => stage.shows(line, title);
const prompts = (line: string) => (stage: AttentionStage) => stage.prompts(line);
const hook = (says: "working" | "idle") => (stage: AttentionStage) => stage.says("hook", says);
const reads =
  (reads: "yes" | "no" | "unknown", hidden = false, raw = false) =>
  (stage: AttentionStage) => {
    stage.listening = { reads, hidden, raw, ...(reads === "yes" ? { waits: true } : {}) };
  };
const hookAsks = (text: string) => (stage: AttentionStage) => stage.says("hook", "needs_input", text);

const timelines: Readonly<Record<string, Timeline>> = {
  "a program that is silent from its start rests after a second": {
    happens: [[0, start]],
    until: 10_000,
    changes: ["0 working by output, 0 old", "1201 idle by silence, 201 old"],
  },
  "output is work, silence is rest, and each is reported once": {
    happens: [
      [0, start],
      [100, prints],
      [300, prints],
      [5_000, prints],
      [5_010, prints],
    ],
    until: 20_000,
    changes: [
      "0 working by output, 0 old",
      "1501 idle by silence, 201 old",
      "5000 working by output, 0 old",
      "6211 idle by silence, 201 old",
    ],
  },
  "a program with a slow rhythm gets longer before it counts as idle": {
    happens: [[0, start], ...[1, 2, 3, 4, 5, 6].map((beat) => [beat * 900, prints] as const)],
    until: 20_000,
    changes: ["0 working by output, 0 old", "7851 idle by silence, 201 old"],
  },
  "a question of a plain program counts after two looks": {
    happens: [
      [0, start],
      [1_000, shows("Overwrite the file? [y/N] ")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", '1115 needs_input by screen "Overwrite the file? [y/N]", 15 old'],
  },
  "a prompt without a line end counts sooner, once its program waits for the answer": {
    happens: [
      [0, start],
      [1_000, prompts("Overwrite the file? [y/N] ")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", '1025 needs_input by screen "Overwrite the file? [y/N]", 15 old'],
  },
  "the same in raw mode counts when it has lasted, since nothing shows whether more is drawn": {
    happens: [
      [0, start],
      [0, reads("yes", false, true)],
      [1_000, prompts("Overwrite the file? [y/N] ")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", '1110 needs_input by screen "Overwrite the file? [y/N]", 100 old'],
  },
  "a prompt of a program that does not read its terminal counts after five seconds": {
    happens: [
      [0, start],
      [0, reads("no")],
      [1_000, shows("GitHub token: ")],
    ],
    until: 20_000,
    changes: [
      "0 working by output, 0 old",
      "2201 idle by silence, 201 old",
      '6100 needs_input by screen "GitHub token:", 5000 old',
    ],
  },
  "and at once when it begins to read, although nothing is printed": {
    happens: [
      [0, start],
      [0, reads("no")],
      [1_000, shows("Name: ")],
      [1_600, reads("yes")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", '1900 needs_input by screen "Name:", 800 old'],
  },
  "a prompt in words that nobody knows counts when its terminal does not echo": {
    happens: [
      [0, start],
      [0, reads("yes", true)],
      [1_000, shows("tajne slovo")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", '1115 needs_input by screen "tajne slovo", 15 old'],
  },
  "a question that is printed over before the second look was none": {
    happens: [
      [0, start],
      [1_000, shows("Overwrite the file? [y/N] ")],
      [1_110, shows("done")],
    ],
    until: 20_000,
    changes: ["0 working by output, 0 old", "2311 idle by silence, 201 old"],
  },
  "a question is over when something is printed long after the last look": {
    happens: [
      [0, start],
      [1_000, shows("Overwrite the file? [y/N] ")],
      [5_000, shows("done")],
    ],
    until: 20_000,
    changes: [
      "0 working by output, 0 old",
      '1115 needs_input by screen "Overwrite the file? [y/N]", 15 old',
      "5000 working by output, 0 old",
      "6201 idle by silence, 201 old",
    ],
  },
  "an agent starts until its own screen says something": {
    happens: [
      [0, startAgent],
      [30_000, shows("works")],
      [40_000, shows("rests")],
    ],
    until: 60_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "30200 working by screen, 30200 old",
      "40000 working by output, 40000 old",
      "40400 idle by screen, 300 old",
    ],
  },
  "a hook is believed at once, and the screen when it says something else later": {
    happens: [
      [0, startAgent],
      [100, hook("working")],
      [200, shows("works")],
      [9_000, shows("rests")],
    ],
    until: 60_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "100 working by hook, 100 old",
      "9400 idle by screen, 300 old",
    ],
  },
  "a question from a hook waits for its dialog": {
    happens: [
      [0, startAgent],
      [100, hook("working")],
      [5_000, hookAsks("make")],
      [5_100, shows("asks make")],
    ],
    until: 30_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "100 working by hook, 100 old",
      '5300 needs_input by hook "make", 300 old',
    ],
  },
  "and is reported without a dialog that is not drawn": {
    happens: [
      [0, startAgent],
      [100, hook("working")],
      [5_000, hookAsks("make")],
    ],
    until: 30_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "100 working by hook, 100 old",
      '5400 needs_input by hook "make" undrawn, 400 old',
    ],
  },
  "an answered question is work until a witness says otherwise": {
    happens: [
      [0, startAgent],
      [1_000, hookAsks("make")],
      [1_100, shows("asks make")],
      [20_000, (stage) => stage.becomes("rests")],
      [20_000, (stage) => stage.answered()],
    ],
    until: 60_000,
    changes: [
      "0 working by start before it begins, 0 old",
      '1300 needs_input by hook "make", 300 old',
      "20000 working by answer, 0 old",
      "20400 idle by screen, 300 old",
    ],
  },
  "an answer after which nothing is known is work for two seconds": {
    happens: [
      [0, start],
      [1_000, shows("Overwrite the file? [y/N] ")],
      [20_000, (stage) => stage.becomes("")],
      [20_000, (stage) => stage.answered()],
    ],
    until: 60_000,
    changes: [
      "0 working by output, 0 old",
      '1115 needs_input by screen "Overwrite the file? [y/N]", 15 old',
      "20000 working by answer, 0 old",
      "22201 idle by silence, 20201 old",
    ],
  },
  "an agent that works in silence and without CPU is stuck, until it prints": {
    happens: [
      [0, (stage) => stage.usesCpu(500)],
      [0, startAgent],
      [100, hook("working")],
      [200, shows("works")],
      [900_000, prints],
    ],
    until: 1_000_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "100 working by hook, 100 old",
      "601200 working by hook stuck, 0 old",
      "900000 working by hook, 899900 old",
    ],
  },
  "one that uses CPU is not": {
    happens: [
      [0, startAgent],
      [100, hook("working")],
      [200, shows("works")],
      ...Array.from(
        { length: 100 },
        (_, at) => [at * 10_000, (stage: AttentionStage) => stage.usesCpu(1_000)] as const,
      ),
    ],
    until: 1_000_000,
    changes: ["0 working by start before it begins, 0 old", "100 working by hook, 100 old"],
  },
  "a bell asks for attention for five minutes": {
    happens: [
      [0, start],
      [10_000, (stage) => stage.says("bell", "needs_input")],
    ],
    until: 1_000_000,
    changes: [
      "0 working by output, 0 old",
      "1201 idle by silence, 201 old",
      "10000 needs_input by bell, 0 old",
      "310201 idle by silence, 309201 old",
    ],
  },
  "a title is read with the screen": {
    happens: [
      [0, startAgent],
      [5_000, shows("rests")],
      [9_000, shows("something", "spins")],
    ],
    until: 20_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "5400 idle by screen before it begins, 300 old",
      "9000 working by output before it begins, 0 old",
      "9100 working by title, 100 old",
    ],
  },
  "a hook without a screen to look at is believed for an hour": {
    happens: [
      [0, (stage) => stage.start({ ...robot, readScreen: () => undefined })],
      [1_000, hook("working")],
    ],
    until: 4_000_000,
    changes: [
      "0 working by start before it begins, 0 old",
      "1000 working by hook, 1000 old",
      "3601201 idle by silence, 3600201 old",
    ],
  },
};

const clocks = {
  "": 0,
  ", with the clock set back by an hour at every step": -3_600_000,
  ", with the clock set forward by a day at every step": 86_400_000,
} as const;

describe("attention", () => {
  test("a host that does not answer is asked again, less and less often, and warned of once", async () => {
    const stage = new AttentionStage();
    stage.isAway(true);
    stage.start(robot);
    const looks: number[] = [];
    for (const ms of [150, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await stage.clock.advance(ms);
      looks.push(stage.looks);
    }
    assert.deepEqual(looks, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(stage.warnings.length, 1);
    stage.isAway(false);
    stage.becomes("rests");
    await stage.clock.advance(31_000);
    assert.equal(stage.status, "idle by screen");
  });

  test("what people read is dated by the wall clock, also after it was set", async () => {
    const stage = new AttentionStage();
    stage.start(robot);
    await stage.clock.advance(1_000);
    stage.shows("works");
    await stage.clock.advance(5_000);
    for (const by of [0, -3_600_000, 90_000_000]) {
      stage.clock.setWall(by);
      const ago = (date: number | undefined) => stage.clock.now() - (date ?? 0);
      assert.equal(ago(stage.attention.lastOutputAt("t1")), 5_000);
      assert.equal(ago(stage.attention.attention("t1")?.why.since), 6_000);
      assert.deepEqual(
        stage.attention.witnesses("t1").map(({ witness, at, used }) => [witness, ago(at), used]),
        [
          ["screen", 4_900, true],
          ["output", 5_000, false],
          ["silence", 4_000, false],
        ],
      );
    }
  });

  test("a question counts as asked before its dialog is drawn, and a terminal that is forgotten says nothing", async () => {
    const stage = new AttentionStage();
    stage.start(robot);
    stage.says("hook", "needs_input", "make");
    assert.equal(stage.attention.asks("t1"), true);
    assert.deepEqual(stage.changes, ["0 working by start before it begins, 0 old"]);
    stage.attention.forget("t1");
    await stage.clock.advance(60_000);
    assert.equal(stage.attention.asks("t1"), false);
    assert.equal(stage.attention.attention("t1"), undefined);
    assert.equal(stage.changes.length, 1);
    assert.equal(stage.looks, 0);
  });

  test("a busy terminal that never asks is looked at less and less often, until it rests", async () => {
    const stage = new AttentionStage();
    stage.start();
    const looksPerBurst = async () => {
      const before = stage.looks;
      for (let at = 0; at < 20; at++) {
        stage.prints();
        await stage.clock.advance(300);
      }
      return stage.looks - before;
    };
    const bursts = [await looksPerBurst(), await looksPerBurst(), await looksPerBurst()];
    assert.ok((bursts[0] ?? 0) > (bursts[2] ?? 0), String(bursts));
    await stage.clock.advance(6_000);
    assert.ok((await looksPerBurst()) > (bursts[2] ?? 0), "it rested");
  });

  for (const [name, { happens, until, changes }] of Object.entries(timelines)) {
    for (const [clockSet, by] of Object.entries(clocks)) {
      test(`${name}${clockSet}`, async () => {
        const stage = new AttentionStage();
        let now = 0;
        for (const [at, happen] of [...happens].sort(([one], [other]) => one - other)) {
          await stage.clock.advance(at - now);
          now = at;
          stage.clock.setWall(by);
          happen(stage);
          stage.clock.setWall(by);
        }
        await stage.clock.advance(until - now);
        assert.deepEqual(stage.changes, changes);
        stage.attention.stop();
      });
    }
  }
});
