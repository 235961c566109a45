import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError, type Parsed, type Question } from "@paneward/sdk";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { ServerSaid } from "../../model/agents/agent-server.ts";
import { Typist } from "../courier/typist.ts";
import type { Running } from "../running.ts";
import { giveAnswer } from "./give-answer.ts";
import { respond } from "./respond.ts";

interface Timeline {
  readonly before?: (stage: Stage, question: Question) => void;
  /** How old the dialog is when it is answered. */
  readonly age?: number;
  /** The request that the agent's server knows the question by. */
  readonly request?: string;
  readonly answer?: Partial<Parsed<"respond">>;
  readonly at?: Readonly<Record<number, (stage: Stage) => unknown>>;
  /** The status or the error that the caller gets, and when. */
  readonly is: readonly [string, number];
  readonly news: readonly string[];
  readonly got?: readonly string[];
  readonly answers?: readonly string[];
  /** What became of the question. */
  readonly question: string;
  readonly server?: readonly string[];
}

const gone = "acknowledged: the question is gone";
const answered = { question: "closed: answered by ann" } as const;

/** A hook of the agent waits for this question. */
function waitsInHook(takes: (stage: Stage) => void) {
  return (stage: Stage, question: Question) => {
    const decided = stage.hookAnswers.enter(question.request ?? "", question as never, new AbortController().signal);
    decided.then((decision) => {
      if (decision) takes(stage);
    });
  };
}

function serves(says: (stage: Stage) => ServerSaid, asked: readonly string[] = ["r1"]) {
  return (stage: Stage) => {
    stage.heard.server = { asked, got: [], says: () => says(stage) };
  };
}
const said = (status: number): ServerSaid => ({ kind: "said", status, body: undefined });
const closes = ({ pane }: Stage) => {
  pane.dialog = undefined;
};

const timelines: Readonly<Record<string, Timeline>> = {
  "keys into a young dialog wait until it takes them": {
    is: ["ok", 1_000],
    news: ["1000 submitted", `1000 ${gone}`],
    got: ["1000 1"],
    answers: ["1"],
    ...answered,
  },
  "keys into an old dialog are pressed at once": {
    age: 5_000,
    is: ["ok", 0],
    news: ["0 submitted", `0 ${gone}`],
    got: ["0 1"],
    ...answered,
  },
  "copy mode holds an answer; the caller is not kept waiting, and it is given afterwards": {
    age: 5_000,
    before: ({ pane }) => {
      pane.inMode = true;
    },
    at: {
      2000: ({ pane }) => {
        pane.inMode = false;
      },
    },
    is: ["queued", 0],
    news: ["0 held: the pane is in copy mode", "2100 submitted", `2100 ${gone}`],
    got: ["2100 1"],
    ...answered,
  },
  "another question took its place: nothing is typed": {
    age: 5_000,
    before: ({ pane }) => {
      pane.dialog = "rm -rf /";
    },
    is: ["conflict: the question changed before it could be answered; nothing was typed", 0],
    news: ["0 failed: the question changed before it could be answered; nothing was typed"],
    got: [],
    question: "open",
  },
  "the question changes while its young dialog drops keys: nothing is typed": {
    at: {
      900: ({ pane }) => {
        pane.dialog = "rm -rf /";
      },
    },
    is: ["conflict: the question changed before it could be answered; nothing was typed", 1_000],
    news: ["1000 failed: the question changed before it could be answered; nothing was typed"],
    got: [],
    question: "open",
  },
  "a person answers it first: nothing is typed": {
    at: { 700: closes },
    is: ["conflict: the question changed before it could be answered; nothing was typed", 1_000],
    news: ["1000 failed: the question changed before it could be answered; nothing was typed"],
    got: [],
    question: "open",
  },
  "keys that change nothing: after ten seconds the outcome is unknown, and it can be answered again": {
    age: 5_000,
    before: ({ pane }) => {
      pane.deaf = true;
    },
    is: ["outcome_unknown: the keys were pressed and the question is still there", 10_200],
    news: ["0 submitted", "10200 failed: the keys were pressed and the question is still there"],
    got: ["0 1"],
    question: "open",
  },
  "a dialog that takes its time to go": {
    age: 5_000,
    before: ({ pane }) => {
      pane.deaf = true;
    },
    at: { 1000: closes },
    is: ["ok", 1_200],
    news: ["0 submitted", `1200 ${gone}`],
    ...answered,
  },
  "the program ends before the keys": {
    at: { 500: (stage) => stage.end() },
    is: ["wrong_state: the program ended before it could be answered", 1_000],
    news: ["1000 failed: the program ended before it could be answered"],
    got: [],
    question: "open",
  },
  "the program ends by the answer": {
    age: 5_000,
    before: ({ pane }) => {
      pane.deaf = true;
    },
    at: { 100: (stage) => stage.end() },
    is: ["ok", 140],
    news: ["0 submitted", `140 ${gone}`],
    ...answered,
  },
  "the connection breaks at the keys: the outcome is unknown, and no key is pressed again": {
    age: 5_000,
    before: ({ pane }) => {
      pane.breaks = "after";
    },
    is: ["outcome_unknown: the connection broke", 0],
    news: ["0 failed: the connection broke"],
    got: ["0 1"],
    question: "open",
  },
  "words that neither approve nor deny": {
    age: 5_000,
    answer: { option: undefined, text: "in my own words" },
    is: ['bad_input: "in my own words" neither approves nor denies this permission', 0],
    news: [],
    got: [],
    question: "open",
  },
  "words that approve": {
    age: 5_000,
    answer: { option: undefined, text: "yes" },
    is: ["ok", 0],
    news: ["0 submitted", `0 ${gone}`],
    got: ["0 1"],
    ...answered,
  },
  "a denial, by the number that the dialog shows": {
    age: 5_000,
    answer: { option: undefined, deny: "" },
    is: ["ok", 0],
    news: ["0 submitted", `0 ${gone}`],
    got: ["0 3"],
    ...answered,
  },
  "a denial with words: they follow as a prompt": {
    age: 5_000,
    answer: { option: undefined, deny: "use rg" },
    is: ["ok", 100],
    news: [
      ...["0 submitted", `0 ${gone}`, "0 typed", "100 submitted"],
      ...["100 acknowledged: its hook reported it", "100 acknowledged: denied; the words follow as d"],
    ],
    got: ["0 3", "0 pastes use rg", "100 Enter"],
    ...answered,
  },
  "the hook that waits for it gets the answer, and no key is pressed": {
    request: "hook-1",
    before: waitsInHook(({ clock, pane }) => {
      clock.timer(200, () => {
        pane.dialog = undefined;
      });
    }),
    is: ["ok", 300],
    news: ["0 submitted: through the agent's hook", `300 ${gone}`],
    got: [],
    ...answered,
  },
  "the hook's answer is not taken: no key is pressed, because the dialog may be the next one in the same words": {
    request: "hook-1",
    before: waitsInHook(() => {}),
    is: ["outcome_unknown: the agent's hook took the answer and the question is still there", 5_100],
    news: [
      "0 submitted: through the agent's hook",
      "5100 failed: the agent's hook took the answer and the question is still there",
    ],
    got: [],
    question: "open",
  },
  "an option that no hook can say is answered by keys": {
    request: "hook-1",
    age: 5_000,
    before: waitsInHook(() => assert.fail("the hook got a decision")),
    answer: { option: 2 },
    is: ["ok", 0],
    news: ["0 submitted", `0 ${gone}`],
    got: ["0 2"],
    ...answered,
  },
  "the agent's server takes it": {
    request: "r1",
    before: serves((stage) => {
      closes(stage);
      return said(200);
    }),
    is: ["ok", 0],
    news: ["0 submitted: over the agent's HTTP", "0 acknowledged: the agent took it"],
    got: [],
    server: ["/answer/r1"],
    ...answered,
  },
  "the server took it, and its dialog is still drawn": {
    request: "r1",
    before: serves(() => said(200)),
    is: ["ok", 5_100],
    news: ["0 submitted: over the agent's HTTP", "5100 acknowledged: the agent took it"],
    got: [],
    ...answered,
  },
  "the server knows the request no more: no key is pressed": {
    request: "r1",
    before: serves(() => said(404)),
    is: ["conflict: the agent no longer asks this; nothing was answered", 0],
    news: ["0 submitted: over the agent's HTTP", "0 failed: the agent no longer asks this; nothing was answered"],
    got: [],
    question: "open",
  },
  "the server asks something else: nothing is sent, no key is pressed": {
    request: "r1",
    before: serves(() => said(200), ["r2"]),
    is: ["conflict: the agent no longer asks this; nothing was answered", 0],
    news: ["0 failed: the agent no longer asks this; nothing was answered"],
    got: [],
    question: "open",
    server: [],
  },
  "the server cannot be reached: keys answer": {
    request: "r1",
    age: 5_000,
    before: serves(() => ({ kind: "unreached", reason: "refused" })),
    is: ["ok", 0],
    news: ["0 submitted: over the agent's HTTP", "0 submitted", `0 ${gone}`],
    got: ["0 1"],
    ...answered,
  },
  "the server refuses it for another reason: keys answer": {
    request: "r1",
    age: 5_000,
    before: serves(() => said(400)),
    is: ["ok", 0],
    news: ["0 submitted: over the agent's HTTP", "0 submitted", `0 ${gone}`],
    got: ["0 1"],
    ...answered,
  },
  "the server failed, and asks no more: it was taken": {
    request: "r1",
    before: serves((stage) => {
      closes(stage);
      if (stage.heard.server) stage.heard.server.asked = [];
      return said(500);
    }),
    is: ["ok", 0],
    news: ["0 submitted: over the agent's HTTP", "0 acknowledged: the agent took it"],
    got: [],
    ...answered,
  },
  "the connection to the server broke, and it still asks: the outcome is unknown, no key is pressed": {
    request: "r1",
    before: serves(() => ({ kind: "unknown", reason: "it hung up" })),
    is: ["outcome_unknown: the answer was sent to the agent, and it is not known if it arrived: it hung up", 0],
    news: [
      "0 submitted: over the agent's HTTP",
      "0 failed: the answer was sent to the agent, and it is not known if it arrived: it hung up",
    ],
    got: [],
    question: "open",
  },
};

describe("an answer", () => {
  for (const [name, line] of Object.entries(timelines)) {
    test(name, async (t) => {
      const stage = await openStage(t);
      const { clock, pane, news, passed, store } = stage;
      const question = stage.asks("touch made", line.request);
      await clock.advance(line.age ?? 0);
      line.before?.(stage, question);
      for (const [ms, happen] of Object.entries(line.at ?? {})) clock.timer(Number(ms), () => happen(stage));
      const since = passed();
      const outcome = await stage.outcome(respond(stage, { id: "t1", option: 1, ...line.answer }, stage.caller));
      const is = [wordsOf(outcome), passed() - since];
      await clock.advance(60_000);
      const relative = (lines: readonly string[]) =>
        lines.map((one) => one.replace(/^\d+/, (ms) => `${+ms - since}`).replace(/as d_\S+$/, "as d"));
      assert.deepEqual([is, relative(news)], [line.is, line.news]);
      if (line.got) assert.deepEqual(relative(pane.got), line.got);
      if (line.answers) assert.deepEqual(pane.answers, line.answers);
      if (line.server) assert.deepEqual(stage.heard.server?.got, line.server);
      assertQuestion(stage, question, line.question);
      assert.deepEqual([store.unfinishedDeliveries(), stage.typist.busy, clock.waiting], [[], 0, 0]);
    });
  }
});

function wordsOf(outcome: Error | { readonly status: string }): string {
  if (outcome instanceof PanewardError) return `${outcome.code}: ${outcome.message}`;
  return "status" in outcome ? outcome.status : outcome.message;
}

function assertQuestion({ store, questions, heard }: Stage, { id }: Question, expected: string): void {
  const { state, closedBy } = store.question(id) ?? {};
  const isClosed = state === "closed";
  assert.equal(isClosed ? `closed: ${closedBy}` : state, expected);
  assert.equal(questions.of("t1") === undefined, isClosed);
  assert.equal(heard.answered, isClosed ? 1 : 0, "attention hears of an answer that was given");
}

test("a dialog that is drawn after its hook was answered is the same question until it is gone", async (t) => {
  const stage = await openStage(t);
  const reported = stage.reports("touch made", "hook-1");
  waitsInHook(({ clock, pane }) => {
    clock.timer(100, () => {
      pane.dialog = "touch made";
      stage.looks("hook-1");
    });
    clock.timer(400, () => {
      pane.dialog = undefined;
    });
  })(stage, reported);
  const outcome = await stage.outcome(respond(stage, { id: "t1", option: 1, question: reported.id }, stage.caller));
  assert.deepEqual([wordsOf(outcome as never), stage.pane.got], ["ok", []]);
  assert.equal(stage.passed() >= 400, true);
  assert.deepEqual(stage.news, ["0 submitted: through the agent's hook", `${stage.passed()} ${gone}`]);
  assert.equal(stage.store.questions().length, 1);
});

test("a question that only a hook reported gets no key into the dialog before it, which is still drawn", async (t) => {
  const stage = await openStage(t);
  const question = stage.questions.answering(stage.reports("touch made").id, "ann");
  stage.pane.dialog = "rm -rf /";
  await stage.clock.advance(2_000);
  const way = { mark: "d1 answer", begin: () => {}, hide: () => {}, report: () => {} };
  const terminal = stage.store.terminal("t1") as Running;
  const outcome = await stage.outcome(giveAnswer(stage, terminal, question, { kind: "approve" }, way));
  assert.equal(outcome instanceof PanewardError && outcome.code, "conflict");
  assert.deepEqual(stage.pane.got, []);
});

describe("a question that only a hook reported", () => {
  const cases = {
    "is answered when its dialog is drawn and takes keys": { drawnAt: 300, is: "ok 1300", got: ["1300 1"] },
    "is not answered when its dialog never comes": {
      drawnAt: undefined,
      is: "conflict: its screen does not show the question; nothing was typed 5000",
      got: [],
    },
  };
  for (const [name, { drawnAt, is, got }] of Object.entries(cases)) {
    test(name, async (t) => {
      const stage = await openStage(t);
      const { clock, pane, store, passed } = stage;
      const question = stage.questions.answering(stage.reports("touch made").id, "ann");
      if (drawnAt !== undefined) {
        clock.timer(drawnAt, () => {
          pane.dialog = "touch made";
        });
      }
      const way = { mark: "d1 answer", begin: () => {}, hide: () => {}, report: () => {} };
      const given = { kind: "option", number: 1 } as const;
      const outcome = await stage.outcome(giveAnswer(stage, store.terminal("t1") as Running, question, given, way));
      assert.equal(`${outcome instanceof PanewardError ? wordsOf(outcome) : "ok"} ${passed()}`, is);
      assert.deepEqual(pane.got, got);
    });
  }
});

describe("an answer and other keys in the same pane", () => {
  const place = (stage: Stage) => ({ host: "local", place: stage.pane.place });

  test("keys that are under way come first; the look after them sees that the question is gone", async (t) => {
    const stage = await openStage(t);
    stage.asks("touch made");
    await stage.clock.advance(5_000);
    const person = stage.typist.sequence(place(stage), async (writer) => {
      await writer.pause(300);
      await writer.press({ keys: ["3"], pauseMs: 0 });
    });
    const outcome = await stage.outcome(respond(stage, { id: "t1", option: 1 }, stage.caller));
    await person;
    assert.match(wordsOf(outcome), /^conflict: the question changed/);
    assert.deepEqual([stage.pane.got, stage.pane.answers], [["5300 3"], ["3"]]);
  });

  test("keys that come during its steps come behind all of them", async (t) => {
    const stage = await openStage(t, "rm");
    const { pane, clock } = stage;
    pane.plain = ["Delete everything? [y/N] "];
    stage.looks();
    // tmux takes its time with each of them.
    const slow = { ...pane.input };
    const typist = new Typist(
      { ...slow, type: async (...given) => clock.sleep(50).then(() => slow.type(...given)) },
      clock,
    );
    const answered = respond({ ...stage, typist }, { id: "t1", text: "n" }, stage.caller);
    await clock.advance(20);
    const person = typist.raw(place(stage), "x");
    pane.plain = ["$ "];
    await stage.outcome(Promise.all([answered, person]));
    assert.deepEqual(pane.got, ["50 types n", "50 Enter", "50 types x"]);
  });
});
