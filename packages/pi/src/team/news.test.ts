import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import type { InboxEvent } from "@paneward/sdk";
import type { CustomMessage, Pi, PiContext, SendOptions } from "../pi/api.ts";
import { News } from "./news.ts";

/** A scripted inbox, and a pi that records its messages. */
function scripted(
  t: { after: (work: () => void) => void },
  inbox: readonly InboxEvent[],
  entries: readonly object[] = [],
) {
  const asked: string[] = [];
  const sent: { readonly message: CustomMessage; readonly options: SendOptions | undefined }[] = [];
  const state = { idle: true };
  const ending = new AbortController();
  t.after(() => ending.abort());
  const get = async (_path: string, { since }: { readonly since: string }) => {
    asked.push(since);
    const events = inbox.filter(({ cursor }) => since === "seen" || cursor > Number(since));
    if (events.length === 0) await new Promise((resolve) => ending.signal.addEventListener("abort", resolve));
    return { events, nextSince: String(events.at(-1)?.cursor ?? since) };
  };
  const pi = { sendMessage: (message, options) => void sent.push({ message, options }) } as Pi;
  const sessionManager = { getEntries: () => entries };
  const ctx = { isIdle: () => state.idle, sessionManager } as unknown as PiContext;
  const news = new News(pi, ctx, { get: get as never }, false);
  const follows = news.follow(ending.signal);
  t.after(() => follows);
  return { asked, sent, state, outbox: news.outbox };
}

function notice(cursor: number, type: InboxEvent["type"] = "thread_message"): InboxEvent {
  const where = { teamId: "demo", agentId: "lead", threadId: "thread-0001", actor: "w" };
  return { schemaVersion: "1.0.0", id: `inbox-${cursor}`, cursor, type, ...where, summary: `n${cursor}`, ts: "" };
}

test("news waits while the agent is busy, and is acknowledged once it is in the conversation", async (t) => {
  const { asked, sent, state, outbox } = scripted(t, [notice(1), notice(2)]);
  state.idle = false;
  await soon();
  outbox.settled();
  assert.deepEqual([asked, sent.length], [["seen"], 0], "the agent works");
  state.idle = true;
  outbox.settled();
  assert.equal(sent.length, 1);
  await soon();
  assert.deepEqual(asked, ["seen"], "sent does not mean arrived");
  outbox.settled();
  assert.equal(sent.length, 2, "lost messages are sent again");
  outbox.arrived(sent[1]?.message ?? {});
  await soon();
  assert.deepEqual(asked, ["seen", "2"]);
  assert.match(sent[1]?.message.content ?? "", /n1 .*\n.*n2 /);
  assert.equal(sent[1]?.options?.triggerTurn, true);
});

test("news in the conversation is not repeated; a claim is written without starting a turn", async (t) => {
  const entries = [{ type: "custom_message", customType: "team-inbox", details: { cursors: [1] } }];
  const { asked, sent } = scripted(t, [notice(1), notice(2, "task_claimed")], entries);
  await soon();
  assert.deepEqual(asked, ["seen", "2"]);
  assert.equal(sent.length, 1);
  assert.doesNotMatch(sent[0]?.message.content ?? "", /n1/);
  assert.equal(sent[0]?.options?.triggerTurn, false);
});

test("what is quiet is written without starting a turn, and rides along with what is not", async (t) => {
  const quiet = { ...notice(1), quiet: true as const };
  const alone = scripted(t, [quiet]);
  const beside = scripted(t, [quiet, notice(2)]);
  await soon();
  assert.deepEqual(
    [alone, beside].map(({ sent }) => [sent.length, sent[0]?.options?.triggerTurn]),
    [
      [1, false],
      [1, true],
    ],
  );
  assert.match(beside.sent[0]?.message.content ?? "", /n1 .*\n.*n2 /);
});

test("Escape writes the news into the conversation without a turn", async (t) => {
  const { sent, state, outbox } = scripted(t, [notice(1)]);
  state.idle = false;
  await soon();
  outbox.ended([{ stopReason: "aborted" }]);
  state.idle = true;
  outbox.settled();
  assert.deepEqual(
    sent.map(({ options }) => options?.triggerTurn),
    [false],
  );
});
