import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import type { Outcome } from "../../src/model/notify/message.ts";
import { type AbsencePorts, tellAbsence } from "../../src/notify/tell-absence.ts";
import type { Absence, NoticeJob, ToldAbsence } from "../../src/runtime/ports.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import type { Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { senderOf } from "./support/sender-of.ts";
import { type Answer, json, type Received, startSink } from "./support/sink.ts";
import { asked } from "./support/tools.ts";

const title = "Paneward's daemon is away; programs keep running, but nothing is watched: paneward up";
const back = "Paneward's daemon did not stop by itself, and is back; programs kept running";

test("a daemon that is killed and stays away is told once, and taken back when it is here again", async (t) => {
  const { daemon, texts, edits } = await watched(t);
  const sender = senderOf(daemon.pid) ?? 0;
  await daemon.kill("SIGKILL");
  await until("it is told", () => texts().length === 1);
  assert.deepEqual(texts(), [title]);
  await until("the sender ends", () => !isRunning(sender));
  await daemon.start();
  await until("it is taken back", () => edits().length === 1);
  assert.match(edits()[0] ?? "", /is away.*it is back; programs kept running/s);
  const history = async () => (await daemon.client.notify_history({})).notices;
  await until("that is stored", async () => (await history())[0]?.sends[0]?.state === "withdrawn");
  assert.deepEqual(
    (await history()).map(({ kind, state, why }) => [kind, state, why]),
    [["away", "over", "it is back; programs kept running"]],
  );
  await until("the sender forgets it", () => !existsSync(join(daemon.folder, "state", "notify", "absence")));
  assert.deepEqual(texts(), [title]);
});

test("a daemon that is stopped is not missed, nor one whose absence no channel takes", async (t) => {
  for (const [rules, signal] of [
    ["", "SIGTERM"],
    ["[[notify.rules]]\nkinds = ['away']\nchannels = []\n", "SIGKILL"],
  ] as const) {
    const { daemon, texts } = await watched(t, { rules });
    const sender = senderOf(daemon.pid) ?? 0;
    await daemon.kill(signal);
    // One that misses the daemon waits for a second.
    const at = performance.now();
    await until("the sender ends", () => !isRunning(sender));
    assert.ok(performance.now() - at < 900, `after ${signal} it waited`);
    assert.deepEqual(texts(), []);
  }
});

test("a daemon that is killed again as soon as it starts is missed nevertheless", async (t) => {
  const { daemon, texts } = await watched(t);
  for (let time = 0; time < 2; time++) {
    await daemon.kill("SIGKILL");
    await daemon.start();
  }
  await daemon.kill("SIGKILL");
  await until("it is told", () => texts().length === 1);
  await daemon.start();
});

test("when the sender is killed while it tells, nothing is told twice, and the return is told", async (t) => {
  let isHeld = true;
  const { daemon, texts } = await watched(t, {
    answer: ({ path }, response) => {
      if (!isHeld || !path.endsWith("/sendMessage")) json(response, 200, { ok: true, result: { message_id: 7 } });
    },
  });
  const sender = senderOf(daemon.pid) ?? 0;
  await daemon.kill("SIGKILL");
  await until("the request is under way", () => texts().length === 1);
  process.kill(sender, "SIGKILL");
  isHeld = false;
  await daemon.start();
  await until("the return is told", () => texts().length === 2);
  assert.deepEqual(texts(), [title, back]);
  const { notices } = await daemon.client.notify_history({});
  assert.deepEqual(notices.map(({ sends }) => sends.map(({ state }) => state)).toReversed()[0], ["unknown"]);
});

test("whenever the daemon comes back or the sender dies, an absence is told at most once, and never stays", async (t) => {
  const { below } = random(t);
  const { daemon, texts, edits } = await watched(t, {
    answer: async (_received, response) => {
      await delay(below(100));
      json(response, 200, { ok: true, result: { message_id: 7 } });
    },
  });
  const rounds = amount(4, 60);
  const away = () => texts().filter((text) => text === title).length;
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    const sender = await until("the sender runs", () => senderOf(daemon.pid));
    const before = away();
    await daemon.kill("SIGKILL");
    await delay(900 + below(400));
    if (below(3) === 0 && isRunning(sender)) {
      killed++;
      process.kill(sender, "SIGKILL");
    }
    await daemon.start();
    const isRead = () => !existsSync(join(daemon.folder, "state", "notify", "absence"));
    await until("what was told is read", async () => isRead() && senderOf(daemon.pid) !== undefined);
    assert.ok(away() - before <= 1, `told ${away() - before} times`);
  }
  const sends = async () => {
    const { notices } = await daemon.client.notify_history({});
    return notices.flatMap((notice) => (notice.title === title ? notice.sends : []));
  };
  await until("each is taken back", async () => (await sends()).every(({ state }) => /withdrawn|unknown/.test(state)));
  const unknown = (await sends()).filter(({ state }) => state === "unknown").length;
  assert.ok(edits().length >= away() - unknown, `${away()} told, ${edits().length} taken back`);
  t.diagnostic(`${rounds} kills, ${away()} told, ${unknown} unknown, ${killed} senders killed`);
});

test("a machine that sleeps while the daemon is away is not taken for time that passed", async () => {
  let ticks = 0;
  const { told, tell } = telling({ monotonic: () => ticks * 8 * 3_600_000, tick: () => ticks++ });
  await tell({ afterMs: 60_000 });
  // At most twice the tick of half a second counts for each.
  assert.equal(ticks, 60);
  assert.deepEqual(
    told.at(-1)?.sends.map(({ state }) => state),
    ["sent"],
  );
});

test("an absence is told after the quiet hours, and after what was not reached is tried again", async () => {
  let now = Date.UTC(2026, 0, 5, 6, 50);
  const outcomes: Outcome[] = [
    { kind: "later", said: "could not be reached" },
    { kind: "sent", said: "ok", ref: "7" },
  ];
  const at: string[] = [];
  const { told, tell } = telling({
    ...{ monotonic: () => now, tick: (ms) => (now += ms), now: () => now },
    once: async () => {
      at.push(new Date(now).toISOString().slice(11, 19));
      return outcomes.shift() as Outcome;
    },
  });
  await tell({ quiet: ["22:00-07:00"], zone: "UTC" });
  assert.deepEqual(at, ["07:00:00", "07:00:02"]);
  assert.deepEqual(
    told.map(({ sends }) => sends[0]?.state),
    ["handed", "queued", "handed", "sent"],
  );
});

test("nothing is told when the daemon is here, was stopped, or an earlier absence was not read yet", async () => {
  const known: ToldAbsence = { tag: "before", at: 0, sends: [] };
  for (const more of [
    { daemon: () => "there" as const },
    { daemon: () => "stopped" as const },
    { isWanted: true },
    { known },
  ]) {
    const { told, tell } = telling(more);
    await tell({});
    assert.deepEqual(told, []);
  }
});

/** A second's absence, told through Telegram, which takes back what was sent. */
async function watched(t: Cleanup, { rules = "", answer }: { readonly rules?: string; readonly answer?: Answer } = {}) {
  const sink = await startSink(
    t,
    answer ?? ((_received, response) => json(response, 200, { ok: true, result: { message_id: 7 } })),
  );
  const daemon: TestDaemon = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0
cooldown_seconds = 0
digest = 1000
away_seconds = 1
[notify.channels.phone]
kind = "telegram"
token = "123:abcdefgh"
chat = 42
server = "${sink.url}"
${rules}`,
  );
  await until("the sender runs", () => existsSync(join(daemon.folder, "state", "notify", "sender.lock.pid")));
  await until("it listens", () => sink.received.length > 0);
  const of = (method: string) =>
    sink.received.filter(({ path }: Received) => path.endsWith(method)).map(({ body }) => String(body.text));
  return { daemon, texts: () => of("/sendMessage"), edits: () => of("/editMessageText") };
}

function telling({
  tick = () => {},
  known,
  isWanted = false,
  ...more
}: Partial<Pick<AbsencePorts, "daemon" | "monotonic" | "once">> & {
  readonly tick?: (ms: number) => void;
  readonly now?: () => number;
  readonly known?: ToldAbsence;
  readonly isWanted?: boolean;
}) {
  const told: ToldAbsence[] = [];
  let time = 0;
  const ports: AbsencePorts = {
    spool: { isWanted, absence: () => known, keepAbsence: (one) => void told.push(one) },
    tools: {
      now: more.now ?? (() => time),
      sleep: async (ms) => {
        time += ms;
        tick(ms);
      },
    },
    once: more.once ?? (async () => ({ kind: "sent", said: "ok" })),
    daemon: more.daemon ?? (() => "gone"),
    monotonic: more.monotonic ?? (() => time),
  };
  const job: NoticeJob = { id: "away", channel: "phone", kind: "telegram", does: "send", message: asked, settings: {} };
  const absence: Absence = { tag: "t", afterMs: 1_000, quiet: [], sends: [{ to: "phone", job }] };
  return { told, tell: (of: Partial<Absence>) => tellAbsence({ ...absence, ...of }, ports) };
}

/** Whoever takes over what a killed daemon leaves may reap it late. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
