import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { PanewardError, type Parsed } from "@paneward/sdk";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { Listening } from "../ports.ts";

interface Timeline {
  readonly program?: string;
  readonly before?: (stage: Stage) => void;
  readonly send?: Partial<Parsed<"send">>;
  /** A delivery that an earlier daemon left, instead of one that is sent. */
  readonly left?: Partial<DeliveryRecord>;
  /** What happens at which millisecond. */
  readonly at?: Readonly<Record<number, (stage: Stage) => unknown>>;
  readonly news: readonly string[];
  readonly got: readonly string[];
  readonly prompts?: readonly string[];
}

const wish = { text: "hello", enter: true, keys: [], force: false };
const typed = "0 pastes hello";
const taken = "acknowledged: its hook reported it";
const hook = { way: "hook", as: "hook" } as const;
const record = { way: "record 0 0", as: "record" } as const;
const unsaid = "Enter was pressed, and nothing says that it was taken";
const stillShown = "Enter was pressed, and its input line still shows it";
const hooked = (stage: Stage) => {
  silently(stage);
  if (stage.agent) stage.agents.learned(stage.agent.id, { hookedAt: stage.clock.now() });
};
const silently = ({ pane }: Stage) => {
  pane.onPrompt = () => {};
};

const notUnderstood = "its screen is not understood";
const foreign =
  (listening: Listening, tells = false) =>
  (stage: Stage) => {
    if (!tells) silently(stage);
    Object.assign(stage.pane, { torn: true, listening });
    stage.heard.understood = false;
  };

const timelines: Readonly<Record<string, Timeline>> = {
  "an idle agent gets text, a pause and Enter": {
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["hello"],
  },
  "a text that is drawn late gets Enter when it is there": {
    before: ({ pane }) => {
      pane.drawMs = 3_000;
    },
    news: ["0 typed", "3000 submitted", `3000 ${taken}`],
    got: [typed, "3000 Enter"],
    prompts: ["hello"],
  },
  "a text that an agent takes late, because it loads a long conversation, is waited for": {
    before: ({ pane }) => {
      pane.silent = true;
      pane.drawMs = 25_000;
    },
    at: {
      25000: ({ pane }) => {
        pane.silent = false;
        pane.print();
      },
    },
    news: ["0 typed", "25000 submitted", `25000 ${taken}`],
    got: [typed, "25000 Enter"],
    prompts: ["hello"],
  },
  "a text that never appears fails, and Enter is not pressed": {
    before: ({ pane }) => {
      pane.deaf = true;
    },
    news: ["0 typed", "10220 failed: the text was typed and never appeared in the input line"],
    got: [typed],
    prompts: [],
  },
  "an open dialog holds it; it is typed when the dialog is gone": {
    before: ({ pane }) => {
      pane.dialog = "touch made";
    },
    at: {
      4000: ({ pane }) => {
        pane.dialog = undefined;
      },
    },
    news: ["0 held: it asks: Do you want to proceed?", "4000 typed", "4100 submitted", `4100 ${taken}`],
    got: ["4000 pastes hello", "4100 Enter"],
    prompts: ["hello"],
  },
  "behind a dialog that was open for long, the input line is waited for": {
    before: ({ pane }) => {
      pane.dialog = "touch made";
    },
    at: {
      30000: ({ pane }) => {
        pane.torn = true;
        pane.dialog = undefined;
      },
      33000: ({ pane }) => {
        pane.torn = false;
        pane.print();
      },
    },
    news: ["0 held: it asks: Do you want to proceed?", "33000 typed", "33100 submitted", `33100 ${taken}`],
    got: ["33000 pastes hello", "33100 Enter"],
    prompts: ["hello"],
  },
  "a dialog that only a hook reported holds it too": {
    before: ({ heard }) => {
      heard.asks = true;
    },
    at: {
      700: ({ heard, pane }) => {
        heard.asks = false;
        pane.print();
      },
    },
    news: ["0 held: it asks: something that is not drawn yet", "700 typed", "800 submitted", `800 ${taken}`],
    got: ["700 pastes hello", "800 Enter"],
    prompts: ["hello"],
  },
  "a dialog that opens behind the text holds Enter": {
    at: {
      50: ({ pane }) => {
        pane.dialog = "touch made";
      },
      9000: ({ pane }) => {
        pane.dialog = undefined;
      },
    },
    news: ["0 typed", "100 typed: typed; it asks: Do you want to proceed?", "9000 submitted", `9000 ${taken}`],
    got: [typed, "9000 Enter"],
    prompts: ["hello"],
  },
  "a draft holds it until the draft is gone": {
    before: ({ pane }) => {
      pane.draft = "half a thought";
    },
    at: {
      2000: ({ pane }) => {
        pane.draft = "";
        pane.print();
      },
    },
    news: ["0 held: its input line holds a draft: half a thought", "2000 typed", "2100 submitted", `2100 ${taken}`],
    got: ["2000 pastes hello", "2100 Enter"],
    prompts: ["hello"],
  },
  "with force it is typed behind the draft": {
    before: ({ pane }) => {
      pane.draft = "half a thought, ";
    },
    send: { force: true },
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["half a thought, hello"],
  },
  "keys of a person behind the text hold Enter until they are gone": {
    at: {
      50: ({ pane }) => {
        pane.draft += " and more";
      },
      400: ({ pane }) => {
        pane.draft = "hello";
        pane.print();
      },
    },
    news: ["0 typed", "100 typed: typed; the input line also contains other text", "400 submitted", `400 ${taken}`],
    got: [typed, "400 Enter"],
    prompts: ["hello"],
  },
  "copy mode holds it": {
    before: ({ pane }) => {
      pane.inMode = true;
    },
    at: {
      500: ({ pane }) => {
        pane.inMode = false;
        pane.print();
      },
    },
    news: ["0 held: the pane is in copy mode", "500 typed", "600 submitted", `600 ${taken}`],
    got: ["500 pastes hello", "600 Enter"],
    prompts: ["hello"],
  },
  "copy mode that begins between the look and the keys holds it, and types nothing": {
    before: ({ pane, clock }) => {
      let looks = 0;
      pane.onLook = () => {
        // The third look is the courier's last one before it types.
        looks += 1;
        if (looks !== 3) return;
        queueMicrotask(() => {
          pane.inMode = true;
        });
        clock.timer(300, () => {
          pane.inMode = false;
          pane.print();
        });
      };
    },
    news: ["0 held: the pane is in copy mode", "300 typed", "400 submitted", `400 ${taken}`],
    got: ["300 pastes hello", "400 Enter"],
    prompts: ["hello"],
  },
  "a torn screen is looked at again": {
    before: ({ pane }) => {
      pane.torn = true;
    },
    at: {
      600: ({ pane }) => {
        pane.torn = false;
        pane.print();
      },
    },
    news: ["600 typed", "700 submitted", `700 ${taken}`],
    got: ["600 pastes hello", "700 Enter"],
    prompts: ["hello"],
  },
  "an agent that drew its input line where it cannot be seen draws its screen anew, and gets the text": {
    before: ({ pane }) => {
      Object.assign(pane, { torn: true, redraws: true });
    },
    news: ["4550 typed", "4650 submitted", `4650 ${taken}`],
    got: ["3550 is redrawn", "4550 pastes hello", "4650 Enter"],
    prompts: ["hello"],
  },
  "an agent whose input line cannot be seen once the text is in it draws its screen anew, and gets Enter": {
    at: {
      50: ({ pane }) => {
        Object.assign(pane, { torn: true, redraws: true });
      },
    },
    news: ["0 typed", "3720 submitted", `3720 ${taken}`],
    got: [typed, "3220 is redrawn", "3720 Enter"],
    prompts: ["hello"],
  },
  "a text is held while the input line of a known screen cannot be seen: a draft may be in it": {
    before: ({ pane }) => {
      pane.torn = true;
    },
    at: {
      20000: ({ pane }) => {
        pane.torn = false;
        pane.print();
      },
    },
    news: ["10550 held: its input line cannot be seen", "20000 typed", "20100 submitted", `20100 ${taken}`],
    got: ["3550 is redrawn", "20000 pastes hello", "20100 Enter"],
    prompts: ["hello"],
  },
  "a plain program with an agent's name gets the text at once, and the receipt says that its screen is not understood":
    {
      before: foreign({ reads: "yes", hidden: false, raw: false, waits: true }),
      news: [
        `350 typed: ${notUnderstood}`,
        `450 submitted: ${notUnderstood}`,
        `450 acknowledged: it printed something; ${notUnderstood}`,
      ],
      got: ["350 pastes if asked hello", "450 Enter"],
      prompts: ["hello"],
    },
  "so does a version that draws something else, once it has run for long": {
    before: foreign({ reads: "yes", hidden: false, raw: true }),
    news: [
      `750 typed: ${notUnderstood}`,
      `850 submitted: ${notUnderstood}`,
      `850 acknowledged: it printed something; ${notUnderstood}`,
    ],
    got: ["750 pastes if asked hello", "850 Enter"],
    prompts: ["hello"],
  },
  "if it says nothing, the receipt does so after a second": {
    before: (stage) => {
      foreign({ reads: "yes", hidden: false, raw: true })(stage);
      stage.pane.silent = true;
    },
    news: [
      `750 typed: ${notUnderstood}`,
      `850 submitted: ${notUnderstood}`,
      `1910 unknown: Enter was pressed, and nothing was printed; ${notUnderstood}`,
    ],
    got: ["750 pastes if asked hello", "850 Enter"],
    prompts: ["hello"],
  },
  "one that takes keys and was just started may be about to draw its input line": {
    before: (stage) => {
      foreign({ reads: "yes", hidden: false, raw: true }, true)(stage);
      stage.heard.startedAt = stage.clock.monotonic();
    },
    at: {
      3000: ({ pane }) => {
        pane.torn = false;
        pane.print();
      },
    },
    news: ["3000 typed", "3100 submitted", `3100 ${taken}`],
    got: ["3000 pastes hello", "3100 Enter"],
    prompts: ["hello"],
  },
  "Enter that the program swallowed is pressed again": {
    before: ({ pane }) => {
      pane.swallows = 2;
    },
    news: ["0 typed", "100 submitted", `6160 ${taken}`],
    got: [typed, "100 Enter", "2160 Enter", "6160 Enter"],
    prompts: ["hello"],
  },
  "a program that printed nothing since Enter has not come to it yet: it is not pressed again": {
    before: ({ pane }) => {
      pane.swallows = 1_000;
    },
    at: {
      50: ({ pane }) => {
        pane.silent = true;
      },
    },
    news: ["0 typed", "100 submitted", `30160 unknown: ${stillShown}`],
    got: [typed, "100 Enter"],
    prompts: [],
  },
  "no witness: the receipt says so after half a minute, and Enter was pressed five times": {
    before: ({ pane }) => {
      pane.swallows = 1_000;
    },
    news: ["0 typed", "100 submitted", `30160 unknown: ${stillShown}`],
    got: [typed, ...["100", "2160", "6160", "12160", "20160"].map((ms) => `${ms} Enter`)],
    prompts: [],
  },
  "a command that the agent does not know stays in the line, and Enter is pressed three times": {
    send: { text: "/zz", command: true },
    before: ({ pane }) => {
      pane.swallows = 1_000;
    },
    news: ["0 typed", "100 submitted", `30160 unknown: ${stillShown}; it may know no such command`],
    got: ["0 pastes /zz", ...["100", "2160", "6160"].map((ms) => `${ms} Enter`)],
    prompts: [],
  },
  "a hook is the witness of what no look can tell, and Enter is not pressed again": {
    before: ({ pane }) => {
      pane.swallows = 1_000;
    },
    at: { 300: ({ prompts, clock }) => prompts.match("t1", "hello", clock.now(), hook) },
    news: ["0 typed", "100 submitted", "300 acknowledged: its hook reported it"],
    got: [typed, "100 Enter"],
  },
  "a hook of other words is no witness": {
    before: ({ pane }) => {
      pane.swallows = 1;
    },
    at: { 300: ({ prompts, clock }) => prompts.match("t1", "hello there", clock.now(), hook) },
    news: ["0 typed", "100 submitted", `2160 ${taken}`],
    got: [typed, "100 Enter", "2160 Enter"],
  },
  "its record is a witness": {
    before: silently,
    at: { 400: ({ prompts, clock }) => prompts.match("t1", "hello", clock.now(), record) },
    news: ["0 typed", "100 submitted", "400 acknowledged: its record has these words"],
    got: [typed, "100 Enter"],
  },
  "an input line that let go of the text is no witness: a person may have deleted it": {
    before: silently,
    news: ["0 typed", "100 submitted", `30160 unknown: ${unsaid}`],
    got: [typed, "100 Enter"],
  },
  "a text that a person deletes before Enter is not acknowledged, and Enter is not pressed": {
    at: {
      50: ({ pane }) => {
        pane.draft = "hello, more";
      },
      150: ({ pane }) => {
        pane.draft = "";
        pane.print();
      },
    },
    news: [
      "0 typed",
      "100 typed: typed; the input line also contains other text",
      "10210 unknown: it left the input line before Enter was pressed, and nothing says that it was taken",
    ],
    got: [typed],
    prompts: [],
  },
  "a turn that begins is a witness, once the agent had time to report the words": {
    before: hooked,
    at: {
      300: ({ pane }) => {
        pane.working = true;
        pane.print();
      },
      500: ({ pane }) => {
        pane.working = false;
        pane.print();
      },
    },
    news: ["0 typed", "100 submitted", "2500 acknowledged: its turn began"],
    got: [typed, "100 Enter"],
  },
  "so is the first turn of an agent that counted as starting at Enter: its own screen rested": {
    before: (stage) => {
      hooked(stage);
      stage.heard.says = "working";
    },
    at: {
      300: ({ pane }) => {
        pane.working = true;
        pane.print();
      },
      500: ({ pane, heard }) => {
        pane.working = false;
        heard.says = "idle";
        pane.print();
      },
    },
    news: ["0 typed", "100 submitted", "2500 acknowledged: its turn began"],
    got: [typed, "100 Enter"],
  },
  "a turn that was under way at Enter is no witness; the next one is": {
    before: (stage) => {
      silently(stage);
      stage.pane.working = true;
    },
    at: {
      5000: ({ pane }) => {
        pane.working = false;
        pane.print();
      },
      6000: ({ pane }) => {
        pane.working = true;
        pane.print();
      },
    },
    news: ["0 typed", "100 submitted", "6000 acknowledged: its turn began"],
    got: [typed, "100 Enter"],
  },
  "a turn about other words is no witness, and the receipt says what it was given": {
    before: silently,
    at: {
      300: ({ pane, prompts, clock }) => {
        pane.working = true;
        prompts.match("t1", "something else", clock.now(), record);
        pane.print();
      },
    },
    news: ["0 typed", "100 submitted", "30300 unknown: it was given other words: something else"],
    got: [typed, "100 Enter"],
  },
  "a prompt that an agent queued for long becomes acknowledged when it is taken": {
    before: (stage) => {
      silently(stage);
      stage.pane.working = true;
    },
    at: { 50000: ({ prompts, clock }) => prompts.match("t1", "hello", clock.now(), record) },
    news: [
      "0 typed",
      "100 submitted",
      "30160 unknown: Enter was pressed; it works, and nothing says yet that it took this",
      "50000 acknowledged: its record has these words",
    ],
    got: [typed, "100 Enter"],
  },
  "a command of the agent is acknowledged when its input line takes it": {
    send: { text: "/compact", command: true },
    before: silently,
    news: ["0 typed", "100 submitted", "100 acknowledged: its input line took the command"],
    got: ["0 pastes /compact", "100 Enter"],
  },
  "a dialog that opens in an agent that rested is its turn": {
    before: silently,
    at: {
      200: ({ pane }) => {
        pane.dialog = "touch made";
      },
    },
    news: ["0 typed", "100 submitted", "200 acknowledged: its turn began"],
    got: [typed, "100 Enter"],
  },
  "a plain program that prints is its own witness": {
    program: "cat",
    before: ({ pane }) => {
      pane.plain = ["$ "];
    },
    news: ["0 typed", "100 submitted", "100 acknowledged: it printed something"],
    got: ["0 types hello", "100 Enter"],
  },
  "a plain program that ends after Enter took it": {
    program: "cat",
    before: (stage) => {
      stage.pane.plain = ["$ "];
      stage.pane.silent = true;
    },
    at: { 300: (stage) => stage.end() },
    news: ["0 typed", "100 submitted", "410 acknowledged: the program ended after Enter"],
    got: ["0 types hello", "100 Enter"],
  },
  "an agent that ends after Enter may have taken it": {
    before: silently,
    at: { 300: (stage) => stage.end() },
    news: [
      "0 typed",
      "100 submitted",
      "300 unknown: the program ended after Enter, and nothing says that it took this",
    ],
    got: [typed, "100 Enter"],
  },
  "a plain program that prints nothing: a second": {
    program: "cat",
    before: ({ pane }) => {
      pane.plain = ["$ "];
      pane.silent = true;
    },
    news: ["0 typed", "100 submitted", "1160 unknown: Enter was pressed, and nothing was printed"],
    got: ["0 types hello", "100 Enter"],
  },
  "keys alone are pressed with pauses, over a draft too": {
    before: ({ pane }) => {
      pane.draft = "half";
    },
    send: { text: "", keys: ["a", "b"] },
    news: ["150 submitted", "150 acknowledged: it printed something"],
    got: ["0 a", "150 b"],
  },
  "keys into a young dialog wait until it takes them": {
    before: ({ pane }) => {
      pane.dialog = "touch made";
    },
    send: { text: "", keys: ["Escape"] },
    news: ["1000 submitted", "1000 acknowledged: it printed something"],
    got: ["1000 Escape"],
  },
  "text without Enter is acknowledged by its echo": {
    send: { enter: false },
    news: ["0 typed", "0 acknowledged: its input line shows it"],
    got: [typed],
    prompts: [],
  },
  "a connection that broke before tmux had the text: it is typed again": {
    before: ({ pane }) => {
      pane.breaks = "before";
    },
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["hello"],
  },
  "a connection that broke after tmux had the text: the mark says so, and it is typed once": {
    before: ({ pane }) => {
      pane.breaks = "after";
    },
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["hello"],
  },
  "a connection that broke after Enter: it is pressed once": {
    at: {
      50: ({ pane }) => {
        pane.breaks = "after";
      },
    },
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["hello"],
  },
  "a connection that broke while keys were pressed: the outcome is unknown, and they are not pressed again": {
    before: ({ pane }) => {
      pane.breaks = "after";
    },
    send: { text: "", keys: ["a"] },
    news: ["0 failed: the connection broke"],
    got: ["0 a"],
  },
  "a program that ends while the text is held lets it fail": {
    before: ({ pane }) => {
      pane.inMode = true;
    },
    at: { 500: (stage) => stage.end() },
    news: [
      "0 held: the pane is in copy mode",
      "500 failed: the program in shop (t1) no longer runs; nothing more was typed",
    ],
    got: [],
  },
  "after a restart, nothing had reached the pane: it is typed": {
    left: { wish },
    news: ["0 typed", "100 submitted", `100 ${taken}`],
    got: [typed, "100 Enter"],
    prompts: ["hello"],
  },
  "after a restart, the text is in the line: only Enter is pressed": {
    left: { wish, state: "queued" },
    before: ({ pane }) => {
      pane.mark = "d1 typed";
      pane.draft = "hello";
    },
    news: ["100 submitted", `100 ${taken}`],
    got: ["100 Enter"],
    prompts: ["hello"],
  },
  "after a restart, the text has left the line: no Enter is pressed": {
    left: { wish, state: "typed" },
    before: ({ pane }) => {
      pane.mark = "d1 typed";
    },
    news: ["11780 unknown: it left the input line before Enter was pressed, and nothing says that it was taken"],
    got: [],
  },
  "after a restart, Enter was pressed: its record says that it arrived": {
    left: { wish, state: "typed" },
    before: ({ pane }) => {
      pane.mark = "d1 submitted";
    },
    at: { 300: ({ prompts, clock }) => prompts.match("t1", "hello", clock.now() - 200, record) },
    news: ["300 acknowledged: its record has these words"],
    got: [],
  },
  "after a restart, keys that were pressed are not pressed again": {
    left: { wish: { ...wish, text: "", enter: false, keys: ["Escape"] } },
    before: ({ pane }) => {
      pane.mark = "d1 submitted";
    },
    news: [],
    got: [],
  },
  "after a restart, a secret is gone": {
    left: {},
    news: ["0 failed: the daemon ended before this secret was typed: send it again"],
    got: [],
  },
  "after a restart, another process runs in the pane": {
    left: { wish, pid: 6 },
    news: ["0 failed: the program in shop (t1) no longer runs; nothing more was typed"],
    got: [],
  },
};

describe("a delivery", () => {
  for (const [name, line] of Object.entries(timelines)) {
    test(name, async (t) => {
      const stage = await openStage(t, line.program);
      const { clock, courier, pane, caller } = stage;
      line.before?.(stage);
      for (const [ms, happen] of Object.entries(line.at ?? {})) clock.timer(Number(ms), () => happen(stage));
      if (line.left) {
        stage.left(line.left);
        courier.resume();
      } else {
        const input = { id: "t1", text: "hello", enter: true, ack: 0, force: false, command: false, ...line.send };
        courier.send(input, caller).catch(() => undefined);
      }
      await clock.advance(60_000);
      assert.deepEqual(stage.news, line.news);
      assert.deepEqual(pane.got, line.got);
      if (line.prompts) assert.deepEqual(pane.prompts, line.prompts);
      assert.deepEqual(stage.store.unfinishedDeliveries(), []);
      assert.equal(stage.typist.busy, 0);
      assert.equal(clock.waiting, 0, "no timer is left");
    });
  }
});

describe("deliveries to one terminal", () => {
  const input = { id: "t1", text: "hello", enter: true, ack: 0, force: false, command: false } as const;

  test("come in their order; those behind a held one say so at once, and keys do not wait for it", async (t) => {
    const stage = await openStage(t);
    const { courier, caller, pane, clock } = stage;
    pane.draft = "half";
    const send = async (more: Partial<Parsed<"send">>) => stage.outcome(courier.send({ ...input, ...more }, caller));
    const [first, second, third] = [await send({}), await send({ text: "two" }), await send({ text: "three" })];
    const reasons = [first, second, third].map((one) => ("state" in one ? [one.state, one.reason] : one));
    const draft = "its input line holds a draft: half";
    const behind = `an earlier delivery comes first, and that is held: ${draft}`;
    assert.deepEqual(reasons, [
      ["held", draft],
      ["queued", behind],
      ["queued", behind],
    ]);
    await send({ text: "", keys: ["Enter"] });
    await clock.advance(10_000);
    assert.deepEqual(pane.prompts, ["half", "hello", "two", "three"]);
    const { length } = stage.store.deliveries("t1", 10).filter(({ reason = "" }) => reason.includes("earlier"));
    assert.equal(length, 0);
  });

  test("keys that came right before a delivery was held do not wait for it either, and keep their order", async (t) => {
    const stage = await openStage(t);
    const { courier, caller, pane, clock } = stage;
    pane.draft = "half";
    const send = (more: Partial<Parsed<"send">>) => stage.outcome(courier.send({ ...input, ...more }, caller));
    const sending = [send({}), send({ text: "two" })];
    const keys = [send({ text: "", keys: ["x"] }), send({ text: "", keys: ["Enter"] })];
    await clock.advance(10_000);
    assert.deepEqual(pane.prompts, ["halfx", "hello", "two"]);
    const pressed = (await Promise.all(keys)).map((one) => ("state" in one ? one.state : one));
    assert.deepEqual(pressed, ["submitted", "submitted"]);
    await Promise.all(sending);
  });

  test("half of a character is refused: no terminal could be given it", async (t) => {
    const stage = await openStage(t);
    const refusal = await stage.outcome(stage.courier.send({ ...input, text: "a \ud83d b" }, stage.caller));
    assert.match(String(refusal), /half of a character/);
    assert.deepEqual([stage.store.deliveries("t1", 10), stage.pane.got], [[], []]);
  });

  test("a held delivery does not block the keys of the person who holds it", async (t) => {
    const stage = await openStage(t);
    const { courier, caller, pane, clock } = stage;
    pane.draft = "half";
    await stage.outcome(courier.send(input, caller));
    await courier.keys("t1", " a thought", caller);
    assert.equal(pane.draft, "half a thought");
    pane.draft = "";
    await clock.advance(5_000);
    assert.deepEqual(pane.prompts, ["hello"]);
  });

  test("the receipt says that an agent got a text without the blanks at its ends, when it reports that", async (t) => {
    const stage = await openStage(t);
    stage.pane.onPrompt = (text) => stage.prompts.match("t1", text.trim(), stage.clock.now(), hook);
    const changed = [];
    for (const text of ["  fix it", "fix it"]) {
      const receipt = await stage.outcome(stage.courier.send({ ...input, text, ack: 5 }, stage.caller));
      changed.push("changed" in receipt ? receipt.changed : undefined);
    }
    assert.deepEqual(changed, ["blanks and empty lines at its ends are dropped", undefined]);
  });

  test("the same key is the same delivery, at once and later", async (t) => {
    const stage = await openStage(t);
    const { courier, caller, pane } = stage;
    const send = () => stage.outcome(courier.send({ ...input, idempotency_key: "k", ack: 5 }, caller));
    const both = await Promise.all([send(), send()]);
    const all = [...both, await send()];
    const ids = new Set(all.map((one) => ("id" in one ? one.id : one)));
    assert.deepEqual([ids.size, all.map((one) => "repeated" in one && one.repeated)], [1, [false, true, true]]);
    assert.deepEqual(pane.prompts, ["hello"]);
  });

  test("a caller waits for its witness as long as it asked, and no longer", async (t) => {
    for (const [ack, took] of [
      [0, 100],
      [2, 2_000],
    ] as const) {
      const stage = await openStage(t);
      stage.pane.swallows = 1_000;
      const receipt = await stage.outcome(stage.courier.send({ ...input, ack }, stage.caller));
      assert.deepEqual(["state" in receipt && receipt.state, stage.passed()], ["submitted", took]);
    }
  });

  test("keys into an agent's dialog need the scope approve; nothing is recorded without it", async (t) => {
    const stage = await openStage(t);
    stage.pane.dialog = "touch made";
    const caller = { ...stage.caller, scope: "send" } as const;
    const press = { ...input, text: "", keys: ["1"] };
    assert.match(String(await stage.outcome(stage.courier.send(press, caller))), /scope approve/);
    assert.deepEqual([stage.store.deliveries("t1", 10), stage.pane.got], [[], []]);
  });

  test("what is typed at a password prompt is not recorded", async (t) => {
    const stage = await openStage(t, "sudo");
    stage.pane.plain = ["[sudo] password for ann: "];
    const receipt = await stage.outcome(stage.courier.send({ ...input, text: "hunter2" }, stage.caller));
    assert.equal("text" in receipt && receipt.text, "(a secret)");
    await stage.clock.advance(5_000);
    assert.deepEqual(stage.pane.got, ["0 types hunter2", "100 Enter"]);
    assert.doesNotMatch(JSON.stringify([stage.store.deliveries("t1", 10), stage.store.events(0, 100)]), /hunter2/);
  });

  test("what is typed while the terminal does not echo is not recorded, whatever the screen says", async (t) => {
    for (const plain of [["合言葉 "], ["working"], [""]]) {
      for (const more of [{ text: "hunter2" }, { text: "", keys: [..."hunter2"], enter: false }]) {
        const stage = await openStage(t, "sudo");
        stage.pane.plain = plain;
        stage.pane.listening = { reads: "yes", hidden: true, raw: false };
        const receipt = await stage.outcome(stage.courier.send({ ...input, ...more }, stage.caller));
        assert.equal("text" in receipt && receipt.text, "(a secret)");
        await stage.clock.advance(5_000);
        const got = stage.pane.got.map((line) => line.replace(/^\d+ (types )?/, ""));
        assert.match(got.join(""), /^hunter2(Enter)?$/);
        const kept = JSON.stringify([stage.store.deliveries("t1", 10), stage.store.events(0, 100)]);
        assert.doesNotMatch(kept, /h ?u ?n ?t ?e ?r/);
      }
    }
  });

  test("a password prompt that appears while a text is held makes it a secret", async (t) => {
    const stage = await openStage(t, "sudo");
    const { pane, clock } = stage;
    pane.inMode = true;
    pane.plain = ["$ "];
    await stage.outcome(stage.courier.send({ ...input, text: "hunter2" }, stage.caller));
    assert.match(JSON.stringify(stage.store.deliveries("t1", 10)), /hunter2/);
    pane.plain = ["[sudo] password for ann: "];
    pane.inMode = false;
    await clock.advance(5_000);
    assert.equal(pane.got.length, 2);
    assert.doesNotMatch(JSON.stringify(stage.store.deliveries("t1", 10)), /hunter2/);
    for (const file of [stage.database, `${stage.database}-wal`])
      assert.ok(!readFileSync(file).includes("hunter2"), file);
  });

  test("nothing to send, an unknown terminal, a program that ended", async (t) => {
    const stage = await openStage(t);
    const refused = async (more: object) => stage.outcome(stage.courier.send({ ...input, ...more }, stage.caller));
    assert.match(String(await refused({ text: "", enter: false })), /nothing to send/);
    assert.match(String(await refused({ id: "t9" })), /no task or terminal/);
    stage.end();
    assert.match(String(await refused({})), /no longer runs/);
    assert.throws(() => stage.courier.keys("t1", "x", stage.caller), /no longer runs/);
  });

  test("a daemon that stops leaves what is held to the next one", async (t) => {
    const stage = await openStage(t);
    const { courier, pane, clock } = stage;
    pane.draft = "half";
    await stage.outcome(courier.send(input, stage.caller));
    courier.close();
    pane.draft = "";
    await clock.advance(5_000);
    assert.deepEqual([pane.got, stage.store.unfinishedDeliveries().length], [[], 1]);
    stage.nextCourier().resume();
    await clock.advance(5_000);
    assert.deepEqual([pane.prompts, stage.store.unfinishedDeliveries().length], [["hello"], 0]);
  });

  test("a prompt is a turn of the conversation; a command of the agent's program is none", async (t) => {
    const stage = await openStage(t);
    for (const [text, command] of [["hello"], ["/clear", true], ["!ls", true], ["!ls"]] as const) {
      await stage.outcome(stage.courier.send({ ...input, text, command: command ?? false, ack: 5 }, stage.caller));
    }
    const turns = stage.store.turns(stage.agent?.id ?? "", 10).map(({ actor, intent, text }) => [actor, intent, text]);
    assert.deepEqual(turns, [
      ["user", "command", "hello"],
      ["user", "command", "!ls"],
    ]);
    assert.deepEqual(stage.pane.prompts, ["hello", "/clear", "!ls", "!ls"]);
    const typed = stage.pane.got.map((line) => line.replace(/^\d+ /, "")).filter((line) => line !== "Enter");
    assert.deepEqual(typed, ["pastes hello", "pastes /clear", "pastes !ls", "pastes !ls, behind x, C-a DC"]);
  });

  test("what the agent would obey is refused at once, and nothing is typed or recorded", async (t) => {
    const stage = await openStage(t);
    for (const text of ["/clear", "/help me", " /help\nnow", "!ls\ntwo", "exit", "see @/etc/passwd", "a\u001b[201~b"]) {
      const refusal = await stage.outcome(stage.courier.send({ ...input, text }, stage.caller));
      assert.ok(refusal instanceof PanewardError, text);
      assert.equal(refusal.code, "bad_input");
      assert.match(refusal.message, /^claude would .*; nothing was typed$/);
      assert.notEqual(refusal.hint, undefined);
    }
    assert.deepEqual([stage.pane.got, stage.news, stage.passed()], [[], [], 0]);
  });

  test("what runs in the agent's shell needs the scope approve: a command, and the Enter behind a draft", async (t) => {
    const stage = await openStage(t);
    const caller = { ...stage.caller, scope: "send" } as const;
    const tries: readonly [Partial<Parsed<"send">>, string?][] = [
      [{ text: "!ls", command: true }],
      [{ text: "\n !ls", command: true }],
      [{ text: "", keys: ["!", "l", "s", "Enter"] }],
      [{ text: "", keys: ["Enter"] }, "!ls"],
      [{ text: "", keys: ["C-m"] }, "!ls"],
      [{ text: "", keys: ["!", "l", "s", "ENTER"] }],
      [{ text: "", keys: ["KPENTER"] }, "!ls"],
      [{ text: "", keys: ["^M"] }, "!ls"],
      [{ text: "touch pwned", force: true }, "!"],
      [{ text: "", force: true }, "!ls"],
    ];
    for (const [more, draft = ""] of tries) {
      stage.pane.draft = draft;
      const refusal = await stage.outcome(stage.courier.send({ ...input, ...more }, caller));
      assert.ok(refusal instanceof PanewardError, JSON.stringify(more));
      assert.equal(refusal.code, "not_allowed");
    }
    for (const [draft, bytes] of [
      ["!ls", "\r"],
      ["!l", "s\r"],
      ["", "!ls\n"],
      ["", "hello\r!ls\r"],
      ["!ls", "\u001b[13u"],
      ["!ls", "\u001bOM"],
      ["!ls", "\u001b[200~ \u001b[201~\r"],
    ] as const) {
      stage.pane.draft = draft;
      const refusal = await stage.outcome(stage.courier.keys("t1", bytes, caller));
      assert.ok(refusal instanceof PanewardError && refusal.code === "not_allowed", JSON.stringify(bytes));
    }
    assert.deepEqual(stage.pane.got, []);
    stage.pane.draft = "";
    await stage.outcome(stage.courier.send({ ...input, text: "/clear", command: true }, caller));
    assert.deepEqual(stage.pane.prompts, ["/clear"], "other commands need the scope send");
  });

  test("a dialog that opens while keys are pressed takes none of a sender who may not approve", async (t) => {
    for (const scope of ["send", "approve"] as const) {
      const stage = await openStage(t);
      const { pane, clock, courier } = stage;
      clock.timer(400, () => {
        pane.dialog = "touch made";
      });
      const keys = Array.from({ length: 20 }, () => "1");
      const sent = stage.outcome(courier.send({ ...input, text: "", keys, ack: 10 }, { ...stage.caller, scope }));
      const outcome = await sent;
      if (scope === "approve") {
        assert.equal(pane.answers.length, 1);
        continue;
      }
      assert.ok(outcome instanceof PanewardError && outcome.code === "not_allowed");
      assert.match(outcome.message, /only the keys before it were pressed \(3\)/);
      assert.deepEqual([pane.answers, pane.got.length], [[], 3]);
    }
  });

  test("an agent that works takes no key that could answer its next dialog, unless its sender may approve", async (t) => {
    const stage = await openStage(t);
    const caller = { ...stage.caller, scope: "send" } as const;
    stage.heard.says = "working";
    for (const key of ["1", "Enter", "y", "Tab"]) {
      const refusal = await stage.outcome(stage.courier.send({ ...input, text: "", keys: [key] }, caller));
      assert.ok(refusal instanceof PanewardError && refusal.code === "not_allowed", key);
    }
    for (const bytes of ["1", "\r", "\u001b[13u"]) {
      const refusal = await stage.outcome(stage.courier.keys("t1", bytes, caller));
      assert.ok(refusal instanceof PanewardError && refusal.code === "not_allowed", JSON.stringify(bytes));
    }
    assert.equal(stage.pane.got.length, 0);
    await stage.outcome(stage.courier.send({ ...input, text: "", keys: ["Escape"] }, caller));
    await stage.outcome(stage.courier.keys("t1", "\u001b[A", caller));
    await stage.outcome(stage.courier.keys("t1", "1", { scope: "approve" }));
    assert.deepEqual(
      stage.pane.got.map((line) => line.replace(/^\d+ /, "")),
      ["Escape", "types \u001b[A", "types 1"],
    );
  });

  test("a live view sees the dialog that no one has recorded yet", async (t) => {
    const stage = await openStage(t);
    stage.pane.dialog = "touch made";
    const refusal = await stage.outcome(stage.courier.keys("t1", "1", { scope: "send" }));
    assert.ok(refusal instanceof PanewardError && refusal.code === "not_allowed");
    stage.pane.dialog = undefined;
    stage.pane.torn = true;
    const unsure = await stage.outcome(stage.courier.keys("t1", "1", { scope: "send" }));
    assert.match(String(unsure), /its input line cannot be seen/);
    assert.deepEqual(stage.pane.got, []);
  });

  test("Enter is not pressed behind a command that was typed in front of the text meanwhile", async (t) => {
    const stage = await openStage(t);
    const { pane, clock, courier } = stage;
    const caller = { ...stage.caller, scope: "send" } as const;
    clock.timer(50, () => {
      pane.draft = `!${pane.draft}`;
    });
    const outcome = await stage.outcome(courier.send({ ...input, force: true, ack: 5 }, caller));
    assert.ok(outcome instanceof PanewardError && outcome.code === "not_allowed");
    assert.match(outcome.message, /Enter was not pressed/);
    assert.deepEqual(pane.prompts, []);
  });

  test("a command that is drawn late is seen before Enter submits it", async (t) => {
    const stage = await openStage(t);
    const { pane, courier } = stage;
    pane.drawMs = 100;
    await stage.outcome(courier.keys("t1", "!ls", { scope: "send" }));
    const refusal = await stage.outcome(courier.keys("t1", "\r", { scope: "send" }));
    assert.ok(refusal instanceof PanewardError && refusal.code === "not_allowed");
    assert.deepEqual(pane.got.length, 1);
  });

  test("a text that begins with ! is no command, also of a sender who may not approve", async (t) => {
    const stage = await openStage(t);
    const sent = await stage.outcome(
      stage.courier.send({ ...input, text: "!important", ack: 5 }, { ...stage.caller, scope: "send" }),
    );
    assert.ok("state" in sent);
    assert.deepEqual(stage.pane.prompts, ["!important"]);
  });

  test("keys of a sender who may only send are so after a restart too", async (t) => {
    const stage = await openStage(t);
    stage.left({ wish: { ...wish, text: "", enter: false, keys: ["1"] }, scope: "send" });
    stage.pane.dialog = "touch made";
    stage.courier.resume();
    await stage.clock.advance(5_000);
    assert.deepEqual([stage.pane.got, stage.pane.answers], [[], []]);
    assert.match(stage.news.join(), /failed: a question is open/);
  });

  test("an agent that only the configuration names gets ordinary text, and commands on purpose", async (t) => {
    const stage = await openStage(t, "cat");
    stage.pane.plain = ["$ "];
    const terminal = stage.store.terminal("t1");
    assert.ok(terminal);
    stage.store.write((writer) => {
      writer.putTask({ id: 1, slug: "x", root: "/", text: "", agent: "kimi", createdAt: 1 } as never);
      writer.putTerminal({ ...terminal, task: 1 });
    });
    const send = (more: object, scope: "send" | "approve" = "send") =>
      stage.outcome(stage.courier.send({ ...input, ...more, ack: 5 }, { ...stage.caller, scope }));
    assert.match(String(await send({ text: "!ls" })), /kimi may run it as a shell command/);
    assert.match(String(await send({ text: "/compact" })), /kimi may take it for one of its own commands/);
    assert.match(String(await send({ text: "!ls", command: true })), /scope approve/);
    assert.match(String(await send({ text: "", keys: ["!", "l", "s", "Enter"] })), /scope approve/);
    await send({ text: "/compact", command: true });
    await send({ text: "hello" });
    const got = stage.pane.got.map((line) => line.replace(/^\d+ /, ""));
    assert.deepEqual(got, ["types /compact", "Enter", "types hello", "Enter"]);
  });

  const tabs = "a tab arrives as four blanks";
  const composed = "letters with combining marks arrive composed (NFC)";
  const trimmed = "blanks and empty lines at its end are dropped";
  for (const [how, prompt, changed] of [
    ["changed as it is known to be", "a    b\ncaf\u00e9", `${tabs}; ${composed}; ${trimmed}`],
    ["unchanged, by another version", "a\tb\ncafe\u0301 ", undefined],
    ["with its tabs, by another version", "a\tb\ncaf\u00e9", `${composed}; ${trimmed}`],
  ] as const) {
    test(`a text that arrives ${how}, is known by the hook, and the receipt says so`, async (t) => {
      const stage = await openStage(t);
      silently(stage);
      stage.clock.timer(300, () => stage.prompts.match("t1", prompt, stage.clock.now(), hook));
      const sent = await stage.outcome(
        stage.courier.send({ ...input, text: "a\tb\r\ncafe\u0301 ", ack: 5 }, stage.caller),
      );
      assert.ok(!(sent instanceof Error));
      assert.deepEqual([sent.reason, sent.changed], ["its hook reported it", changed]);
      assert.equal(stage.pane.got[0], "0 pastes a\tb\ncafe\u0301 ");
    });
  }
});
