import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import { endTerminal, putTerminal } from "../../../test/support/memory-world.ts";
import { hook, notifyStage, phone } from "../../../test/support/notify-stage.ts";
import { floodWindowMs } from "../../model/notify/schedule.ts";
import { tapMs } from "../../model/notify/taps.ts";
import { channelViews, failingChannels } from "./channel-views.ts";
import type { NotifyChannels } from "./channels.ts";

describe("a question", () => {
  test("that is asked and closed without end fills neither memory nor history, and what is still open is kept", async (t) => {
    const { ask, clock, notifier, arrived } = await notifyStage(t);
    const first = ask();
    await clock.advance(6_000);
    const asks = Array.from({ length: 2_100 }, (_, at) => ({
      key: `question ${at}`,
      kind: "question",
      subject: { name: "x" },
    }));
    const news = asks.flatMap((fact) => [
      { kind: "stands", fact: { ...fact, kind: "question", words: "asks" } } as const,
      { kind: "over", keys: [fact.key], why: "the program continued", answered: false } as const,
    ]);
    notifier.book.take(news, 1, () => true);
    const kept = notifier.book.all();
    assert.ok(kept.length <= 2_000, `${kept.length} notices`);
    assert.equal(kept[0]?.fact.question, first.id);
    assert.deepEqual(arrived(), ["send question"]);
  });

  test("is sent after its dwell, once, and taken back when it is answered elsewhere", async (t) => {
    const { ask, clock, arrived, questions, types } = await notifyStage(t);
    const question = ask();
    await clock.advance(4_900);
    assert.deepEqual(arrived(), []);
    await clock.advance(200);
    assert.deepEqual(arrived(), ["send question"]);
    await clock.advance(300_000);
    questions.answering(question.id, "uid:0");
    questions.close(question.terminal, "");
    await clock.advance(10);
    assert.deepEqual(arrived(), ["send question", "withdraw question answered by uid:0"]);
    assert.deepEqual(types(), ["notice_queued", "notice_sent", "notice_withdrawn"]);
  });

  test("that is answered during its dwell is never sent, and history says why", async (t) => {
    const { ask, clock, arrived, questions, history } = await notifyStage(t);
    const question = ask();
    await clock.advance(1_000);
    questions.close(question.terminal, "the program continued");
    await clock.advance(600_000);
    assert.deepEqual(arrived(), []);
    assert.deepEqual(history(), ["over: never sent: sent if it is still so in a moment; then the program continued"]);
  });

  test("is not sent while a person looks at it, and is sent when that person has left", async (t) => {
    const { ask, clock, arrived, presence, history } = await notifyStage(t);
    const question = ask();
    presence.sees("tui", [question.terminal], 60);
    await clock.advance(30_000);
    assert.deepEqual([arrived(), history()], [[], ["waiting: you are looking at it"]]);
    await clock.advance(31_000);
    assert.deepEqual(arrived(), ["send question"]);
  });

  test("that changes is shown again, and earlier buttons no longer answer", async (t) => {
    const { ask, again, clock, sender, arrived, tap, given } = await notifyStage(t);
    const question = ask();
    await clock.advance(6_000);
    again(question, { proposal: { command: "rm -rf build" }, whole: true, proof: "agent" });
    await clock.advance(10);
    assert.deepEqual(arrived(), ["send question", "update question"]);
    const [before, now] = sender.arrived.map(({ message }) => message.buttons[0]?.tap ?? "");
    assert.deepEqual(await tap(before ?? ""), {
      answered: false,
      words: "the question has changed since this was shown; nothing was answered",
    });
    await clock.advance(10);
    const shown = sender.arrived[2]?.message;
    assert.match(
      shown?.body ?? "",
      /^Not answered: the question has changed since this was shown; nothing was answered\nDeploy/,
    );
    assert.deepEqual(await tap(now ?? ""), { answered: true, words: "Answered: Yes" });
    assert.equal(given.length, 1);
  });

  test("goes to the next channel when nobody answers for ten minutes", async (t) => {
    const rules = [{ channels: ["phone"], escalate: ["hook"] }];
    const { ask, clock, arrived } = await notifyStage(t, { channels: { phone, hook }, rules });
    ask();
    await clock.advance(599_000);
    assert.deepEqual(arrived(), ["send question"]);
    await clock.advance(7_000);
    assert.deepEqual(arrived(), ["send question", "send question hook"]);
    await clock.advance(3_600_000);
    assert.equal(arrived().length, 2);
  });
});

describe("a button", () => {
  test("answers the question that was shown, once, in the channel's name", async (t) => {
    const { ask, clock, sender, tap, given, store, questions } = await notifyStage(t, { dwell_seconds: 0 });
    const question = ask();
    const other = ask();
    await clock.advance(10);
    const [yes, no] = sender.arrived[0]?.message.buttons.map((button) => button.tap) ?? [];
    assert.deepEqual(await tap(no ?? ""), { answered: true, words: "Answered: No" });
    assert.deepEqual(given, [`${question.terminal} ${question.id} 2 by channel:phone through telegram`]);
    assert.equal(questions.of(other.terminal)?.state, "open", "the other question is untouched");
    assert.deepEqual(await tap(yes ?? ""), {
      answered: false,
      words: "this question is closed: answered by channel:phone",
    });
    assert.deepEqual(await tap(no ?? ""), {
      answered: false,
      words: "this question is closed: answered by channel:phone",
    });
    assert.equal(given.length, 1);
    const audits = store
      .audits(10)
      .map(({ who, door, operation, outcome }) => [who, door, operation, outcome].join(" "));
    assert.equal(audits.filter((one) => one === "channel:phone telegram respond ok").length, 1);
    assert.equal(audits.length, 3);
  });

  test("is kept only as a hash, and nothing in the database answers", async (t) => {
    const { ask, clock, sender, store } = await notifyStage(t, { dwell_seconds: 0 });
    ask();
    await clock.advance(10);
    const taps = sender.arrived.flatMap(({ message }) => message.buttons.map((button) => button.tap));
    assert.equal(taps.length, 2);
    const kept = JSON.stringify([store.notices(), store.events(0, 1_000), store.audits(100)]);
    for (const one of [...taps, "123:secret"]) assert.ok(!kept.includes(one));
  });

  test("that has expired is refused, and the notice says so and has new ones; one that was never given is not known", async (t) => {
    const { ask, clock, sender, tap, given, arrived } = await notifyStage(t, { dwell_seconds: 0 });
    ask();
    await clock.advance(10);
    const [yes] = sender.arrived[0]?.message.buttons ?? [];
    await clock.advance(tapMs);
    const words = "this button has expired; look at the question itself";
    assert.deepEqual(await tap(yes?.tap ?? ""), { answered: false, words });
    assert.deepEqual(await tap("x".repeat(32)), { answered: false, words: "this button is not known any more" });
    assert.deepEqual(given, []);
    await clock.advance(10);
    assert.deepEqual(arrived(), ["send question", "update question"]);
    assert.equal(sender.arrived[1]?.message.body, `Not answered: ${words}\nDeploy?\n1 Yes\n2 No`);
    await tap(yes?.tap ?? "");
    await clock.advance(10);
    assert.equal(arrived().length, 2, "pressing it again and again shows nothing anew");
    const [now] = sender.arrived[1]?.message.buttons ?? [];
    assert.deepEqual(await tap(now?.tap ?? ""), { answered: true, words: "Answered: Yes" });
  });

  test("that could not answer is used up, and the question is shown again with others", async (t) => {
    const { ask, clock, sender, tap, refuse, arrived } = await notifyStage(t, { dwell_seconds: 0 });
    ask();
    await clock.advance(10);
    const [first] = sender.arrived[0]?.message.buttons ?? [];
    refuse(new PanewardError("unavailable", "the pane is gone"));
    assert.deepEqual(await tap(first?.tap ?? ""), { answered: false, words: "Not answered: the pane is gone" });
    refuse(undefined);
    await clock.advance(10);
    assert.deepEqual(await tap(first?.tap ?? ""), {
      answered: false,
      words: "a button of this notice was pressed already; each works once",
    });
    assert.deepEqual(arrived(), ["send question", "update question"]);
    assert.match(sender.arrived[1]?.message.body ?? "", /^Not answered: the pane is gone\nDeploy/);
    const [second] = sender.arrived[1]?.message.buttons ?? [];
    assert.deepEqual(await tap(second?.tap ?? ""), { answered: true, words: "Answered: Yes" });
  });
});

describe("when something fails", () => {
  test("a service that asks for a pause is given it, and then it is sent", async (t) => {
    const { ask, clock, sender, arrived, types } = await notifyStage(t, { dwell_seconds: 0 });
    sender.answer = () => ({ kind: "later", said: "answered with 429", afterMs: 30_000 });
    ask();
    await clock.advance(10);
    sender.answer = () => ({ kind: "sent", said: "ok" });
    await clock.advance(29_000);
    assert.deepEqual(arrived(), []);
    await clock.advance(1_100);
    assert.deepEqual(arrived(), ["send question"]);
    assert.deepEqual(types(), ["notice_queued", "notice_queued", "notice_sent"]);
  });

  test("a channel that refuses stops no other, and the next one is used at once", async (t) => {
    const rules = [{ channels: ["phone"], escalate: ["hook"] }];
    const { ask, clock, sender, arrived } = await notifyStage(t, {
      channels: { phone, hook },
      rules,
      dwell_seconds: 0,
    });
    sender.answer = ({ kind, id }) =>
      kind === "telegram" ? { kind: "refused", said: "answered with 401" } : { kind: "sent", said: "ok", ref: id };
    ask();
    await clock.advance(10);
    assert.deepEqual(arrived(), ["send question hook"]);
  });

  test("while a channel cannot be reached the next one is used soon, and both once it can", async (t) => {
    const rules = [{ channels: ["phone"], escalate: ["hook"] }];
    const { ask, clock, sender, arrived } = await notifyStage(t, {
      channels: { phone, hook },
      rules,
      dwell_seconds: 0,
    });
    const away = { kind: "later", said: "could not be reached: ENOTFOUND" } as const;
    sender.answer = ({ kind, id }) => (kind === "telegram" ? away : { kind: "sent", said: "ok", ref: id });
    ask();
    await clock.advance(1_900);
    assert.deepEqual(arrived(), []);
    await clock.advance(200);
    assert.deepEqual(arrived(), ["send question hook"]);
    sender.answer = ({ id }) => ({ kind: "sent", said: "ok", ref: id });
    await clock.advance(10_000);
    assert.deepEqual(arrived(), ["send question hook", "send question"]);
  });

  test("what may have been sent is repeated only where the receiver knows repetitions", async (t) => {
    const { ask, clock, sender, arrived, notifier } = await notifyStage(t, {
      channels: { phone, hook },
      dwell_seconds: 0,
    });
    sender.answer = () => ({ kind: "unknown", said: "no answer within 15 s" });
    ask();
    await clock.advance(1_000);
    sender.answer = () => ({ kind: "sent", said: "ok" });
    await clock.advance(600_000);
    assert.deepEqual(arrived(), ["send question", "send question hook", "send question hook"]);
    assert.deepEqual(
      notifier.book.all()[0]?.sends.map(({ state }) => state),
      ["unknown", "sent"],
    );
  });
});

test("a hand-over that never began is no attempt: however often it is lost on the way, all attempts are left", async (t) => {
  const { ask, clock, sender, kill, start, notifier } = await notifyStage(t, { channels: { hook }, dwell_seconds: 0 });
  sender.isDeaf = true;
  ask();
  for (let lost = 0; lost < 10; lost++) {
    await clock.advance(1_000);
    kill();
    await start();
  }
  sender.isDeaf = false;
  sender.answer = () => ({ kind: "unknown", said: "no answer within 15 s" });
  kill();
  await start();
  await clock.advance(100);
  sender.answer = () => ({ kind: "sent", said: "ok" });
  await clock.advance(10_000);
  const [send] = notifier.book.all()[0]?.sends ?? [];
  assert.deepEqual([send?.state, send?.attempts], ["sent", 2]);
});

test("what may be shown somewhere is taken back too, when it is answered before it is sent again", async (t) => {
  const { ask, clock, sender, arrived, questions, notifier } = await notifyStage(t, {
    channels: { hook },
    dwell_seconds: 0,
  });
  sender.answer = () => ({ kind: "unknown", said: "no answer within 15 s" });
  const question = ask();
  await clock.advance(1_000);
  sender.answer = () => ({ kind: "sent", said: "ok" });
  questions.answering(question.id, "uid:0");
  questions.close(question.terminal, "");
  await clock.advance(10);
  assert.deepEqual(arrived(), ["send question hook", "withdraw question hook answered by uid:0"]);
  assert.deepEqual(
    notifier.book.all()[0]?.sends.map(({ state }) => state),
    ["withdrawn"],
  );
});

test("with the text none, how it ended stays here too", async (t) => {
  const { ask, clock, sender, questions } = await notifyStage(t, {
    channels: { phone: { ...phone, text: "none" } },
    dwell_seconds: 0,
  });
  const question = ask();
  await clock.advance(10);
  questions.answering(question.id, "Ada's phone");
  questions.close(question.terminal, "");
  await clock.advance(10);
  assert.equal(sender.arrived[1]?.message.over, "it is over");
  assert.doesNotMatch(JSON.stringify(sender.arrived.map(({ message }) => message)), /Ada|Deploy/);
});

test("1,000 questions at once are a few notices and digests, and none is left out", async (t) => {
  const { ask, clock, sender, notifier } = await notifyStage(t);
  for (let asked = 0; asked < 1_000; asked++) {
    ask();
    if (asked % 100 === 0) await clock.advance(500);
  }
  await clock.advance(10 * floodWindowMs);
  assert.ok(sender.arrived.length <= 7, `${sender.arrived.length} messages`);
  assert.ok(sender.arrived.some(({ message }) => message.kind === "digest" && / need you$/.test(message.title)));
  assert.ok(notifier.book.all().every(({ state }) => state === "told"));
});

test("a channel whose buttons cannot be heard is shown as failing, though it sends; one that nobody sees is not", async (t) => {
  const { ask, clock, sender, notifier } = await notifyStage(t, { dwell_seconds: 0 });
  ask();
  await clock.advance(10);
  const channels = { config: { channels: { phone }, rules: [] } } as unknown as NotifyChannels;
  const seen = () => channelViews({ channels, clock, sender: sender.port, notifier }).map((view) => view.detail);
  assert.deepEqual(seen(), ["sent at last"]);
  sender.troubles = { phone: "answered with 409" };
  assert.deepEqual(seen(), ["its buttons cannot be heard: answered with 409"]);
  sender.troubles = {};
  sender.answer = () => ({ kind: "refused", said: "nobody is attached", nobody: true });
  ask();
  await clock.advance(10);
  assert.deepEqual(seen(), ["nobody is attached"]);
  assert.deepEqual(failingChannels({ channels, clock, sender: sender.port, notifier }), []);
});

test("a channel that is tried and fails is not followed by the next one", async (t) => {
  const rules = [{ channels: ["phone"], escalate: ["hook"] }];
  const { sender, notifier, clock, arrived } = await notifyStage(t, { channels: { phone, hook }, rules });
  sender.answer = ({ kind }) =>
    kind === "telegram" ? { kind: "refused", said: "answered with 401" } : { kind: "sent", said: "ok" };
  const outcome = notifier.test("phone", 1_000);
  await clock.advance(10);
  assert.equal((await outcome).kind, "refused");
  await clock.advance(1_000_000);
  assert.deepEqual(arrived(), []);
});

test("a channel with several addresses is tried at each, and says what came back from each", async (t) => {
  const { sender, notifier, clock, addresses } = await notifyStage(t, { channels: { hook } });
  addresses.of = () => ["laptop", "phone"].map((id) => ({ id, address: id }));
  sender.answer = ({ address }) =>
    address === "phone" ? { kind: "refused", said: "answered with 403" } : { kind: "sent", said: "taken" };
  const outcome = notifier.test("hook", 1_000);
  await clock.advance(10);
  assert.deepEqual(await outcome, { kind: "refused", said: "laptop: taken; phone: answered with 403" });
});

test("a channel that is tried is not tried again, whatever came back", async (t) => {
  const { sender, notifier, clock } = await notifyStage(t, { channels: { hook } });
  for (const kind of ["unknown", "later"] as const) {
    const asked: string[] = [];
    sender.answer = ({ id }) => {
      asked.push(id);
      return { kind, said: "answered with 502" };
    };
    const outcome = notifier.test("hook", 1_000);
    await clock.advance(10);
    assert.equal((await outcome).kind, kind);
    await clock.advance(1_000_000);
    assert.equal(asked.length, 1, kind);
  }
});

test("trying the channels holds up no notice", async (t) => {
  const { ask, clock, arrived, notifier } = await notifyStage(t, { digest: 2 });
  for (let tried = 0; tried < 4; tried++) {
    const outcome = notifier.test("phone", 1_000);
    await clock.advance(10);
    assert.equal((await outcome).kind, "sent");
  }
  ask();
  await clock.advance(6_000);
  assert.deepEqual(arrived().slice(4), ["send question"]);
});

test("a digest escalates to the next channel while one of its questions waits, whatever else it holds, and is over with the last one", async (t) => {
  const rules = [{ kinds: ["question" as const, "ended" as const], channels: ["phone"], escalate: ["hook"] }];
  const stage = await notifyStage(t, { channels: { phone, hook }, rules, digest: 1 });
  const { clock, arrived, ask, questions, sender } = stage;
  for (let number = 0; number < 3; number++) {
    const { id } = putTerminal(stage);
    endTerminal(stage, id, { kind: "exited", code: 1 });
  }
  const [first, second] = [ask(), ask()];
  await clock.advance(10_000);
  assert.deepEqual(arrived(), ["send digest"]);
  await clock.advance(600_000);
  assert.deepEqual(arrived(), ["send digest", "send digest hook"]);
  questions.close(first.terminal, "the program continued");
  await clock.advance(10);
  assert.equal(sender.arrived.length, 2);
  questions.close(second.terminal, "the program continued");
  await clock.advance(10);
  assert.deepEqual(arrived().slice(2).toSorted(), [
    "withdraw digest hook the program continued",
    "withdraw digest the program continued",
  ]);
});

test("a configuration that is being edited ends nothing, and what it cannot say for now stays as it was", async (t) => {
  const { ask, clock, arrived, history, inForce } = await notifyStage(t);
  ask();
  await clock.advance(1_000);
  const whole = { ...inForce };
  Object.assign(inForce, { config: defaultConfig, isUnread: true });
  await clock.advance(60_000);
  assert.deepEqual(arrived(), ["send question"]);
  // The file is empty for a moment.
  Object.assign(inForce, { isUnread: undefined });
  await clock.advance(10_000);
  Object.assign(inForce, whole);
  await clock.advance(60_000);
  assert.deepEqual([arrived(), history()], [["send question"], ["told: it is still so, and nobody looked"]]);
  Object.assign(inForce, { config: defaultConfig });
  await clock.advance(30_000);
  assert.deepEqual(history(), ["over: no channel is configured"]);
});

test("rules that are changed hold within ten seconds, also for what waits", async (t) => {
  const { ask, clock, arrived, inForce } = await notifyStage(t, { quiet: ["00:00-12:00", "12:00-00:00"] });
  ask();
  await clock.advance(15_000);
  assert.deepEqual(arrived(), []);
  const { config } = inForce;
  Object.assign(inForce, { config: { ...config, notify: { ...config.notify, quiet: [] } } });
  await clock.advance(10_000);
  assert.deepEqual(arrived(), ["send question"]);
});

test("a daemon that cannot read its configuration forgets no notice, and sends it as soon as it can", async (t) => {
  const { ask, clock, arrived, kill, start, inForce } = await notifyStage(t);
  ask();
  await clock.advance(1_000);
  kill();
  const whole = { ...inForce };
  Object.assign(inForce, { config: defaultConfig, isUnread: true });
  await start();
  ask();
  await clock.advance(60_000);
  assert.deepEqual(arrived(), []);
  Object.assign(inForce, whole, { isUnread: undefined });
  await clock.advance(30_000);
  assert.deepEqual(arrived(), ["send question", "send question"]);
});

test("without a channel nothing is stored, and a channel that is added begins with what happens then", async (t) => {
  const world = await notifyStage(t, { channels: {} });
  world.ask();
  await world.clock.advance(60_000);
  assert.deepEqual([world.arrived(), world.history(), world.store.notified()], [[], [], undefined]);
});

test("a daemon that was killed reads what it missed, and says that it was away", async (t) => {
  const { ask, clock, kill, start, arrived, sender } = await notifyStage(t, { dwell_seconds: 1 });
  ask();
  await clock.advance(2_000);
  kill();
  ask();
  await clock.advance(60_000);
  assert.deepEqual(arrived(), ["send question"]);
  await start(true);
  await clock.advance(2_000);
  assert.deepEqual(arrived().toSorted(), ["send away", "send question", "send question"]);
  assert.equal(
    sender.arrived.find(({ message }) => message.kind === "away")?.message.title,
    "Paneward's daemon did not stop by itself, and is back; programs kept running",
  );
});

describe("a daemon that is gone", () => {
  const title = "Paneward's daemon is away; programs keep running, but nothing is watched: paneward up";

  test("is told by the sender, through the channels that the rules choose, as soon as they choose others", async (t) => {
    const rules = [{ kinds: ["away"] as const, channels: ["hook"], quiet: ["22:00-07:00"] }];
    const notify = { channels: { phone, hook }, rules, time_zone: "Europe/Berlin" };
    const { sender, inForce, clock } = await notifyStage(t, notify);
    const { afterMs, quiet, zone, sends = [] } = sender.expected ?? {};
    assert.deepEqual([afterMs, quiet, zone], [60_000, ["22:00-07:00"], "Europe/Berlin"]);
    assert.deepEqual(
      sends.map(({ to, job }) => [to, job.channel, job.does, job.message.title, job.message.buttons]),
      [["hook", "hook", "send", title, []]],
    );
    const before = sender.expected;
    await clock.advance(30_000);
    assert.equal(sender.expected, before, "nothing has changed");
    const { config } = inForce;
    Object.assign(inForce, { config: { ...config, notify: { ...config.notify, rules: [] } } });
    await clock.advance(30_000);
    assert.deepEqual(
      sender.expected?.sends.map(({ to }) => to),
      ["phone", "hook"],
    );
    Object.assign(inForce, { config: { ...config, notify: { ...config.notify, rules: [{ channels: [] }] } } });
    await clock.advance(30_000);
    assert.equal(sender.expected, undefined);
  });

  test("and is back takes that back where it was told and a channel can; only the others get a notice of its return", async (t) => {
    const { sender, kill, start, clock, arrived, history, types } = await notifyStage(t, { channels: { phone, hook } });
    const at = clock.now();
    const of = { attempts: 1, at };
    kill();
    sender.told = {
      ...{ tag: "t", at },
      sends: [
        { to: "phone", kind: "telegram", state: "sent", ref: "7", ...of },
        { to: "hook", kind: "webhook", state: "handed", ...of },
      ],
    };
    await start(true);
    await clock.advance(70_000);
    const back = "it is back; programs kept running";
    assert.deepEqual(arrived().toSorted(), ["send away hook", `withdraw away ${back}`]);
    assert.deepEqual(sender.arrived.map(({ message }) => message.title).toSorted(), [
      "Paneward's daemon did not stop by itself, and is back; programs kept running",
      title,
    ]);
    assert.deepEqual(
      [history()[0], types().filter((type) => type === "notice_unknown").length, sender.told],
      [`over: ${back}`, 1, undefined],
    );
  });

  test("and is killed again before the sender forgets what it told, takes it back once and sends nothing twice", async (t) => {
    const { sender, kill, start, clock, arrived } = await notifyStage(t);
    const send = { to: "phone", kind: "telegram", state: "sent", ref: "7", attempts: 1, at: clock.now() } as const;
    const told = { tag: "t", at: clock.now(), sends: [send] };
    for (let time = 0; time < 3; time++) {
      kill();
      sender.told = told;
      await start(true);
      await clock.advance(10_000);
    }
    assert.deepEqual(
      arrived().filter((one) => one.startsWith("withdraw")),
      ["withdraw away it is back; programs kept running"],
    );
  });
});

describe("a channel that refuses a notice", () => {
  const refuses = () => ({ kind: "refused", said: "answered with 401" }) as const;

  test("gets what still stands, once, when its settings are corrected, also after a restart", async (t) => {
    for (const isRestarted of [false, true]) {
      const { ask, sender, kill, start, clock, arrived, inForce, questions, notifier, history } = await notifyStage(t);
      const { answer } = sender;
      sender.answer = refuses;
      ask();
      const closed = ask();
      await clock.advance(60_000);
      questions.close(closed.terminal, "the program continued");
      await clock.advance(60_000);
      assert.deepEqual(arrived(), []);
      sender.answer = answer;
      await clock.advance(60_000);
      assert.deepEqual(arrived(), [], "its settings are the same");
      if (isRestarted) kill();
      const { config } = inForce;
      const channels = { phone: { ...phone, token: "123:right" } };
      Object.assign(inForce, { config: { ...config, notify: { ...config.notify, channels } } });
      if (isRestarted) await start();
      await clock.advance(30_000);
      assert.deepEqual(arrived(), ["send question"]);
      assert.equal(sender.arrived[0]?.settings.token, "123:right");
      assert.equal(history()[0], "told: sent again, because the settings of phone were changed");
      await clock.advance(600_000);
      assert.equal(sender.arrived.length, 1);
      if (!isRestarted) notifier.stop();
    }
  });

  test("gets it when the file with its secret is written anew; what has merely happened is not sent later", async (t) => {
    const { token: _token, ...rest } = phone;
    const chat = { ...rest, token_file: "/token" };
    const stage = await notifyStage(t, { channels: { phone: chat }, rules: [{ kinds: ["question", "ended"] }] });
    const { ask, sender, clock, arrived, deps } = stage;
    const { answer } = sender;
    sender.answer = refuses;
    ask();
    endTerminal(stage, putTerminal(stage).id, { kind: "exited", code: 1 });
    await clock.advance(60_000);
    sender.answer = answer;
    Object.assign(deps.machine, { changedAt: async () => 2 });
    await clock.advance(20_000);
    assert.deepEqual(arrived(), ["send question"]);
  });

  test("with others that are no better says so, and is not asked without end", async (t) => {
    const { ask, sender, clock, inForce, notifier } = await notifyStage(t);
    let asked = 0;
    sender.answer = () => {
      asked++;
      return refuses();
    };
    ask();
    await clock.advance(60_000);
    const { config } = inForce;
    const channels = { phone: { ...phone, token: "123:also-wrong" } };
    Object.assign(inForce, { config: { ...config, notify: { ...config.notify, channels } } });
    await clock.advance(600_000);
    assert.equal(asked, 2);
    assert.deepEqual(
      notifier.book.all().map(({ sends }) => sends.map(({ state, reason }) => [state, reason])),
      [[["failed", "answered with 401"]]],
    );
  });
});
