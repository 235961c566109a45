import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError, type Parsed } from "@paneward/sdk";
import { shownHash } from "@paneward/sdk/view";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import { respond } from "./respond.ts";

type Input = Partial<Parsed<"respond">>;
const answer = (stage: Stage, input: Input = {}) =>
  stage.outcome(respond(stage, { id: "t1", option: 1, ...input }, stage.caller));
const words = (outcome: object) =>
  outcome instanceof PanewardError ? `${outcome.code} ${outcome.errorType}: ${outcome.message}` : outcome;

/** An agent whose dialog is old enough to take keys. */
async function asking(t: Parameters<typeof openStage>[0]) {
  const stage = await openStage(t);
  const question = stage.asks("touch made");
  await stage.clock.advance(5_000);
  return { ...stage, question };
}

test("the caller learns how it was answered, and the answer is a turn", async (t) => {
  const stage = await asking(t);
  const { turn_id, delivery_id, ...rest } = (await answer(stage)) as { turn_id: string; delivery_id: string };
  const agent_id = stage.agent?.id;
  assert.deepEqual(rest, { agent_id, mode: "select", latency_ms: 0, status: "ok", new_state: "processing" });
  const turn = stage.store.turns(agent_id ?? "", 10).find(({ id }) => id === turn_id);
  const { actor, intent, text, question, delivery } = turn ?? {};
  assert.deepEqual(
    [actor, intent, text, question, delivery],
    ["user", "answer", "Yes", stage.question.id, delivery_id],
  );
});

test("two answers at once: one wins, the other is refused, and one key is pressed", async (t) => {
  const stage = await asking(t);
  const both = (await Promise.all([answer(stage), answer(stage, { option: 3 })])).map(words);
  assert.deepEqual(
    [typeof both[0], both[1]],
    ["object", "conflict wrong_state: the question is being answered by ann"],
  );
  assert.deepEqual(stage.pane.answers, ["1"]);
});

test("the same key is the same answer: it is given once, at once and later; a refused one uses no key", async (t) => {
  const stage = await asking(t);
  const input = { idempotency_key: "k", question: stage.question.id };
  assert.match(String(words(await answer(stage, { ...input, option: 9 }))), /^bad_input invalid_option_index/);
  const both = await Promise.all([answer(stage, input), answer(stage, input)]);
  const [first, ...again] = [...both, await answer(stage, input)];
  for (const one of again) assert.deepEqual(one, { ...first, repeated: true });
  assert.deepEqual(stage.pane.answers, ["1"]);
});

test("a repeated key of an answer that failed says why it failed", async (t) => {
  const stage = await asking(t);
  stage.pane.dialog = "rm -rf /";
  const input = { idempotency_key: "k" };
  const both = [await answer(stage, input), await answer(stage, input)].map(words);
  const changed = "conflict wrong_state: the question changed before it could be answered; nothing was typed";
  assert.deepEqual(both, [changed, changed]);
});

test("a key that was used to send something answers nothing, and the question stays open", async (t) => {
  const stage = await asking(t);
  const input = { id: "t1", text: "later", enter: true, ack: 0, force: false, command: false, idempotency_key: "s" };
  const held = await stage.outcome(stage.courier.send(input, stage.caller));
  assert.equal("state" in held && held.state, "held");
  assert.match(
    String(words(await answer(stage, { idempotency_key: "s" }))),
    /^conflict wrong_state: this idempotency key belongs to a send/,
  );
  assert.equal(stage.questions.of("t1")?.state, "open");
  assert.deepEqual(stage.pane.got, []);
  const answered = await answer(stage, { question: stage.question.id });
  assert.equal("status" in answered && answered.status, "ok");
});

describe("an answer is refused, and nothing is typed:", () => {
  const closed = (stage: Stage) => {
    stage.pane.dialog = undefined;
    stage.looks();
  };
  const cases: Readonly<Record<string, readonly [(stage: Stage) => Input | undefined, RegExp]>> = {
    "the question is gone": [
      (stage) => {
        const { id } = stage.questions.of("t1") ?? {};
        closed(stage);
        return { question: id };
      },
      /^conflict wrong_state: the question \S+ is closed: it is gone$/,
    ],
    "nothing is asked": [
      (stage) => {
        closed(stage);
        return {};
      },
      /^wrong_state wrong_state: no question is open$/,
    ],
    "another question is open": [
      (stage) => {
        const { id } = stage.questions.of("t1") ?? {};
        stage.asks("rm -rf /");
        return { question: id };
      },
      /^conflict wrong_state: another question is open now: /,
    ],
    "no such option": [() => ({ option: 9 }), /^bad_input invalid_option_index/],
    "no text": [() => ({ option: undefined }), /^bad_input missing_text/],
    "an unknown agent": [() => ({ id: "a999" }), /^not_found agent_not_found: there is no agent "a999"$/],
    "an agent without a pane": [
      ({ store }) => {
        const known = { kind: "claude", name: "old", iterm_pane_id: null, state: "awaiting_input" } as const;
        const dates = { adopted: false, stateSince: 0, startedAt: 0 };
        store.write((writer) => writer.putAgent({ id: "a901", tmux_pane_id: null, ...known, ...dates }));
        return { id: "a901" };
      },
      /^bad_input no_pane_id/,
    ],
    "an agent whose terminal is gone": [
      ({ store }) => {
        const known = { kind: "claude", name: "old", iterm_pane_id: null, state: "awaiting_input" } as const;
        const dates = { adopted: false, stateSince: 0, startedAt: 0 };
        store.write((writer) => writer.putAgent({ id: "a902", tmux_pane_id: "%99", ...known, ...dates }));
        return { id: "a902" };
      },
      /^unavailable pane_not_found/,
    ],
    "a program that ended": [
      (stage) => {
        stage.end();
        return {};
      },
      /^wrong_state send_failed: the program of t1 has ended; nothing was typed$/,
    ],
    "a program in the user's own tmux whose pane is gone": [
      (stage) => {
        stage.end({ kind: "unknown" }, { adopted: true });
        return {};
      },
      /^wrong_state pane_not_found: the pane of t1 no longer exists; nothing was typed$/,
    ],
    "a program whose pane was closed": [
      (stage) => {
        stage.end({ kind: "stopped", by: "tmux" });
        return {};
      },
      /^wrong_state pane_not_found: the pane of t1 no longer exists; nothing was typed$/,
    ],
  };
  for (const [name, [before, expected]] of Object.entries(cases)) {
    test(name, async (t) => {
      const stage = await asking(t);
      assert.match(String(words(await answer(stage, before(stage)))), expected);
      assert.deepEqual([stage.pane.got, stage.store.deliveries("t1", 10)], [[], []]);
    });
  }
});

test("the hint for a program that ended is the same for an answer and for a text", async (t) => {
  const stage = await asking(t);
  stage.end();
  const sent = { id: "t1", text: "exit", enter: true, force: false, command: false, ack: 0 };
  for (const outcome of [await answer(stage), await stage.outcome(stage.courier.send(sent, stage.caller))]) {
    assert.ok(outcome instanceof PanewardError);
    assert.deepEqual([outcome.code, outcome.hint], ["wrong_state", "run it again with `paneward restart t1`"]);
  }
});

test("a permission that only a hook reported is answered when its options are drawn", async (t) => {
  const stage = await openStage(t);
  stage.reports("touch made");
  stage.clock.timer(400, () => {
    stage.pane.dialog = "touch made";
    stage.looks();
  });
  const { status, latency_ms } = (await answer(stage)) as { status: string; latency_ms: number };
  assert.deepEqual([status, latency_ms, stage.pane.got], ["ok", 1_400, ["1400 1"]]);
});

describe("an answer that names no question", () => {
  const cases: Readonly<Record<string, readonly [(stage: Stage) => unknown, isRefused: boolean]>> = {
    "is refused when another permission took the place of the one before": [(stage) => stage.asks("rm -rf /"), true],
    "is taken when that was a while ago": [
      async (stage) => {
        stage.asks("rm -rf /");
        await stage.clock.advance(11_000);
      },
      false,
    ],
    "is taken when the same is asked again": [
      (stage) => {
        stage.pane.dialog = undefined;
        stage.looks();
        stage.asks("touch made");
      },
      false,
    ],
    "is taken from the caller that answered the one before": [
      async (stage) => {
        await answer(stage);
        stage.asks("rm -rf /");
      },
      false,
    ],
    "is refused also when the machine's clock was set an hour forward meanwhile": [
      async (stage) => {
        stage.asks("rm -rf /");
        stage.clock.setWall(3_600_000);
      },
      true,
    ],
    "is refused also when it was set forward between the two": [
      async (stage) => {
        stage.questions.close("t1", "it was answered there");
        stage.clock.setWall(3_600_000);
        stage.asks("rm -rf /");
      },
      true,
    ],
    "is taken once it settled, also when the clock was set an hour back": [
      async (stage) => {
        stage.asks("rm -rf /");
        stage.clock.setWall(-3_600_000);
        await stage.clock.advance(11_000);
      },
      false,
    ],
    "is refused after another caller answered the one before": [
      async (stage) => {
        await stage.outcome(respond(stage, { id: "t1", option: 3 }, { ...stage.caller, who: "bob" }));
        stage.asks("rm -rf /");
      },
      true,
    ],
  };
  for (const [name, [before, isRefused]] of Object.entries(cases)) {
    test(name, async (t) => {
      const stage = await asking(t);
      await before(stage);
      const sofar = stage.pane.answers.length;
      const outcome = words(await answer(stage));
      const refusal = /^conflict wrong_state: the question changed a moment ago: Bash: rm -rf \//;
      assert.equal(refusal.test(String(outcome)), isRefused, String(outcome));
      assert.equal(stage.pane.answers.length - sofar, isRefused ? 0 : 1);
      if (isRefused) await answer(stage, { question: stage.questions.of("t1")?.id });
      assert.equal(stage.pane.answers.length - sofar, 1);
    });
  }
});

test("the removal of its terminal ends the wait for an answer", async (t) => {
  const stage = await asking(t);
  stage.pane.deaf = true;
  stage.clock.timer(1_000, () => stage.store.write((writer) => writer.removeTerminal("t1")));
  assert.match(String(words(await answer(stage))), /the terminal was removed/);
});

test("an answer to a password prompt is recorded nowhere", async (t) => {
  const stage = await openStage(t, "sudo");
  stage.pane.plain = ["[sudo] password for ann: "];
  stage.looks();
  const answered = answer(stage, { option: undefined, text: "hunter2" });
  await stage.clock.advance(0);
  const during = JSON.stringify(stage.store.deliveries("t1", 10));
  stage.pane.plain = ["$ "];
  await answered;
  assert.deepEqual(stage.pane.got, ["0 types hunter2", "0 Enter"]);
  assert.doesNotMatch(
    during + JSON.stringify([stage.store.deliveries("t1", 10), stage.store.events(0, 99)]),
    /hunter2/,
  );
});

describe("a plain program that asks", () => {
  const asks = async (
    t: Parameters<typeof openStage>[0],
    line: string,
    listening: Partial<Stage["pane"]["listening"]>,
  ) => {
    const stage = await openStage(t, "ask");
    stage.pane.plain = [line];
    stage.looks();
    stage.pane.listening = { ...stage.pane.listening, ...listening };
    return stage;
  };

  for (const reads of ["no", "unknown"] as const) {
    test(`gets no text when it is ${reads} whether it reads its terminal, but an option that it names, and Enter`, async (t) => {
      const stage = await asks(t, "Delete all? [y/N] ", { reads });
      const refused = /^conflict wrong_state: .*reads? its terminal.*nothing was typed$/;
      assert.match(String(words(await answer(stage, { option: undefined, text: "ghp_4711" }))), refused);
      assert.deepEqual([stage.pane.got, stage.store.deliveries("t1", 10)], [[], []]);
      await answer(stage, { option: undefined, text: "y" });
      assert.match(stage.pane.got.join(), /types y/);
    });
  }

  test("without echo gets a secret, which is on no record", async (t) => {
    const stage = await asks(t, "Name: ", {});
    stage.pane.listening = { reads: "yes", hidden: true, raw: false };
    stage.looks();
    await answer(stage, { option: undefined, text: "hunter2" });
    assert.match(stage.pane.got.join(), /types hunter2/);
    assert.doesNotMatch(JSON.stringify([stage.store.deliveries("t1", 10), stage.store.events(0, 100)]), /hunter2/);
  });

  test("gets one line", async (t) => {
    const stage = await asks(t, "Name: ", {});
    assert.match(
      String(words(await answer(stage, { option: undefined, text: "Ada\nyes" }))),
      /^bad_input invalid_text: .*one line/,
    );
    assert.deepEqual(stage.pane.got, []);
  });
});

test("an answer to what was shown is taken while that is what is asked, and refused once anything of it has changed", async (t) => {
  const stage = await asking(t);
  const shown = await shownHash(stage.question);
  const changes: readonly Partial<typeof stage.question>[] = [
    { text: "Run it?" },
    { options: [...stage.question.options, { number: 9, label: "Always" }] },
    { proposal: { ...stage.question.proposal, command: "touch made; rm -r ." } },
    { whole: false, doubt: "28 of 80 lines" },
  ];
  for (const change of changes) {
    stage.store.write((writer) => writer.putQuestion({ ...stage.question, ...change }));
    const refused = String(words(await answer(stage, { question: stage.question.id, shown })));
    assert.match(refused, /^conflict wrong_state: the question has changed since it was shown/);
  }
  assert.deepEqual(stage.pane.answers, []);
  stage.store.write((writer) => writer.putQuestion({ ...stage.question, screenHash: stage.question.screenHash }));
  assert.equal(typeof words(await answer(stage, { question: stage.question.id, shown })), "object");
  assert.deepEqual(stage.pane.answers, ["1"]);
});
