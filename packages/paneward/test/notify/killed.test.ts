import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
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
  const daemon = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0.05
cooldown_seconds = 0
digest = 1000
[notify.channels.phone]
kind = "telegram"
token = "123:abcdefgh"
chat = 42
server = "${sink.url}"
[[notify.rules]]
kinds = ["ended"]
[[notify.rules]]
channels = []
`,
  );
  const kills = amount(5, 100);
  let cut = 0;
  for (let round = 0; round < kills; round++) {
    const asked = Array.from({ length: 4 }, (_, index) =>
      daemon.client
        .run({ argv: ["sh", "-c", "exit 3"], name: `job-${round}-${index}`, keep: true })
        .catch(() => undefined),
    );
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
