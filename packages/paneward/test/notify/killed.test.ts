import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { senderOf } from "./support/sender-of.ts";
import { json, startSink } from "./support/sink.ts";

test("a daemon that is killed while notices are under way loses none and doubles none", async (t) => {
  const { below } = random(t);
  let underWay = 0;
  // Telegram has no id by which it could tell a repetition: what arrives twice is seen twice.
  const sink = await startSink(t, async (_received, response) => {
    underWay++;
    await delay(below(150));
    underWay--;
    json(response, 200, { ok: true, result: { message_id: sink.received.length } });
  });
  const told = () =>
    sink.received.filter(({ path }) => path.endsWith("/sendMessage")).map(({ body }) => String(body.text));
  const daemon = await startDaemon(t, tellingEnds(sink.url));
  const kills = amount(5, 100);
  let cut = 0;
  for (let round = 0; round < kills; round++) {
    const asked = fourThatFail(daemon, round);
    // At any moment: before the first is sent, between two, or after the last.
    const wanted = told().length + below(5);
    await until("some are on the way", () => told().length >= wanted, 3_000).catch(() => undefined);
    await delay(below(60));
    await daemon.kill("SIGKILL");
    cut += underWay;
    await Promise.all(asked);
    await daemon.start();
  }
  const ended = async () => (await daemon.client.ps({ all: "true" })).terminals.filter(({ end }) => end !== undefined);
  const isStill = async () => {
    const { notices } = await daemon.client.notify_history({ limit: 1_000 });
    const states = notices.flatMap(({ sends }) => (sends.length === 0 ? ["waiting"] : sends.map(({ state }) => state)));
    return notices.length === (await ended()).length && states.every((state) => state === "sent");
  };
  await until("every notice is sent", isStill, 60_000);
  const names = (await ended()).map(({ name }) => name);
  assert.ok(names.length > kills * 2, `only ${names.length} programs ended`);
  assert.deepEqual(told().toSorted(), names.map((name) => `${name} failed with code 3`).toSorted());
  t.diagnostic(`${kills} kills, ${names.length} notices, ${cut} of them under way when the daemon was killed`);
});

test("when the sender is killed, alone or with the daemon, nothing is doubled, and what may be lost says so", async (t) => {
  const { below } = random(t);
  let underWay = 0;
  const sink = await startSink(t, async ({ path }, response) => {
    underWay++;
    await delay(below(150));
    underWay--;
    if (path === "/hook") response.writeHead(204).end();
    else json(response, 200, { ok: true, result: { message_id: 1 } });
  });
  const hook = `[notify.channels.hook]\nkind = "webhook"\nurl = "${sink.url}/hook"\n`;
  const daemon = await startDaemon(t, tellingEnds(sink.url, hook));
  const kills = amount(2, 100);
  let cut = 0;
  for (let round = 0; round < kills; round++) {
    const sender = await until("the sender runs", () => senderOf(daemon.pid));
    const seen = sink.received.length;
    const asked = fourThatFail(daemon, round);
    const wanted = seen + below(9);
    await until("some are on the way", () => sink.received.length >= wanted, 3_000).catch(() => undefined);
    await delay(below(60));
    cut += underWay;
    process.kill(sender, "SIGKILL");
    if (round % 2 === 1) await daemon.kill("SIGKILL");
    await Promise.all(asked);
    if (round % 2 === 1) await daemon.start();
    await until("the killed one is gone", () => senderOf(daemon.pid) !== sender);
  }
  const told = async () => {
    const { notices } = await daemon.client.notify_history({ limit: 1_000 });
    return notices.filter(({ kind }) => kind === "ended");
  };
  const isStill = async () => {
    const { terminals } = await daemon.client.ps({ all: "true" });
    const states = (await told()).map(({ sends }) => sends.map(({ state }) => state));
    const isDone = states.every(
      (of) => of.length === 2 && of.every((state) => state === "sent" || state === "unknown"),
    );
    return states.length === terminals.filter(({ end }) => end !== undefined).length && isDone;
  };
  // What was cut several times is tried again after a minute or more.
  await until("everything has its end", isStill, amount(60_000, 600_000));
  const [chat, hooks] = [
    sink.received.filter(({ path }) => path !== "/hook"),
    sink.received.filter(({ path }) => path === "/hook"),
  ];
  let unknown = 0;
  for (const { title, sends } of await told()) {
    const arrived = chat.filter(({ path, body }) => path.endsWith("/sendMessage") && body.text === title).length;
    const isSure = sends.some(({ channel, state }) => channel === "phone" && state === "sent");
    if (isSure) assert.equal(arrived, 1, title);
    else unknown++;
    assert.ok(arrived <= 1, `${title} arrived ${arrived} times`);
    // The receiver counts ids: repetitions are one notice.
    const ids = new Set(
      hooks.flatMap(({ headers, text }) => (text.includes(`"${title}"`) ? [headers["webhook-id"]] : [])),
    );
    assert.equal(ids.size, 1, title);
    assert.ok(
      sends.some(({ channel, state }) => channel === "hook" && state === "sent"),
      title,
    );
  }
  t.diagnostic(
    `${kills} kills, ${(await told()).length} notices on two channels, ${cut} requests cut, ${unknown} unknown`,
  );
});

/** A chat that gets every end of a program at once, one by one, and nothing else. */
function tellingEnds(url: string, more = ""): string {
  return `[notify]
dwell_seconds = 0.05
cooldown_seconds = 0
digest = 1000
[notify.channels.phone]
kind = "telegram"
token = "123:abcdefgh"
chat = 42
server = "${url}"
${more}[[notify.rules]]
kinds = ["ended"]
[[notify.rules]]
channels = []
`;
}

/** Asked for at once; a daemon that is killed meanwhile starts some of them. */
function fourThatFail({ client }: Pick<TestDaemon, "client">, round: number): readonly Promise<unknown>[] {
  return Array.from({ length: 4 }, (_, index) =>
    client.run({ argv: ["sh", "-c", "exit 3"], name: `job-${round}-${index}`, keep: true }).catch(() => undefined),
  );
}
