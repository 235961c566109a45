import assert from "node:assert/strict";
import type { Config, PanewardError, Question } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { IdentifiedQuestion } from "../../src/runtime/attention/question-identity.ts";
import type { Handlers } from "../../src/runtime/calls.ts";
import { type Addresses, NotifyChannels } from "../../src/runtime/notify/channels.ts";
import { Notifier } from "../../src/runtime/notify/notifier.ts";
import { Presence } from "../../src/runtime/notify/presence.ts";
import { answerTap } from "../../src/runtime/notify/taps.ts";
import type { Cleanup } from "./folder.ts";
import { MemorySender } from "./memory-sender.ts";
import { memoryWorld, putTerminal } from "./memory-world.ts";

export const phone = { kind: "telegram", text: "full", token: "123:secret", chat: "42" } as const;
export const hook = { kind: "webhook", text: "full", url: "https://example.org" } as const;

/** A notifier on the real store, with a clock that a test moves and a sender in memory. */
export async function notifyStage(t: Cleanup, notify: Partial<Config["notify"]> = {}) {
  const config = { notify: { ...defaultConfig.notify, channels: { phone }, ...notify } };
  const world = await memoryWorld(t, { config });
  const { clock, store, questions } = world;
  // The clock does not wait for disks.
  const inForce = { ...(await world.deps.configFor()) };
  const deps = { ...world.deps, store: { ...store, settled: async () => {} }, configFor: async () => inForce };
  const sender = new MemorySender();
  const presence = new Presence(clock);
  const given: string[] = [];
  let failure: PanewardError | undefined;
  const respond: Handlers["respond"] = async ({ id, option, question }, { who, door }) => {
    if (failure) throw failure;
    given.push(`${id} ${question} ${option} by ${who} through ${door}`);
    questions.answering(question ?? "", who);
    questions.close(id, "");
    return { status: "ok", agent_id: id, mode: "select", new_state: "processing", latency_ms: 1, delivery_id: "d1" };
  };
  const addresses: { of: Addresses["of"] } = { of: () => undefined };
  let notifier: Notifier;
  const start = (away = false) => {
    const channels = new NotifyChannels(deps, { of: (kind) => addresses.of(kind), gone: () => undefined });
    notifier = new Notifier({
      ...{ ...deps, httpPort: () => 7_420, sender: sender.port, channels, presence },
      attached: async () => {},
      tapped: async () => {},
    });
    notifier.begin(away);
    return clock.advance(0);
  };
  await start();
  const shown: IdentifiedQuestion = {
    ...{ kind: "confirm", text: "Deploy?", freeText: false, hash: "h" },
    options: [
      { number: 1, label: "Yes" },
      { number: 2, label: "No" },
    ],
  } as unknown as IdentifiedQuestion;
  return {
    ...{ ...world, sender, presence, given, start },
    /** The configuration, which a test may change. */
    inForce,
    /** Of channels with several, which a test may say. */
    addresses,
    get notifier() {
      return notifier;
    },
    /** The daemon is killed: nothing of it runs any more. */
    kill: () => notifier.stop(),
    refuse: (error: PanewardError | undefined) => {
      failure = error;
    },
    ask(more: Partial<IdentifiedQuestion> = {}): Question {
      const terminal = putTerminal(world);
      const question = questions.asked(terminal, { ...shown, ...more }, "screen", undefined);
      assert.ok(question);
      return question;
    },
    again: (question: Question, more: Partial<IdentifiedQuestion>) => {
      const terminal = store.terminal(question.terminal);
      assert.ok(terminal);
      questions.asked(terminal, { ...shown, ...more }, "screen", undefined);
    },
    tap: (capability: string) =>
      answerTap({ ...deps, respond, renew: (id, words) => notifier.renew(id, words) }, capability),
    /** What arrived, such as `send question`, with how it ended. */
    arrived: () =>
      sender.arrived.map(({ does, message, channel }) =>
        [does, message.kind, channel === "phone" ? undefined : channel, message.over].filter(Boolean).join(" "),
      ),
    types: () => world.store.events(0, 10_000).flatMap(({ type }) => (type.startsWith("notice_") ? [type] : [])),
    history: () => notifier.book.all().map(({ state, why }) => `${state}: ${why}`),
  };
}
