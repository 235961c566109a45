import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { json, startSink } from "./support/sink.ts";

test("a sender that is killed in the middle of a request is started again, and what may have been sent is said to be unknown", async (t) => {
  let isHeld = true;
  const chat = await startSink(t, ({ path }, response) => {
    if (path.endsWith("/sendMessage") && isHeld) return;
    json(response, 200, { ok: true, result: path.endsWith("/getUpdates") ? [] : { message_id: 7 } });
  });
  const hook = await startSink(t, (_received, response) => void response.writeHead(204).end());
  const { client, folder } = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0
[notify.channels.chat]
kind = "telegram"
token = "123:abcdefgh"
chat = 42
server = "${chat.url}"
[notify.channels.hook]
kind = "webhook"
url = "${hook.url}"
[[notify.rules]]
channels = ["chat"]
escalate = ["hook"]
`,
  );
  const sent = () => chat.received.filter(({ path }) => path.endsWith("/sendMessage"));
  const ask = (name: string) => client.run({ argv: ["sh", "-c", "printf 'Deploy? [y/n] '; read a"], name });
  await ask("one");
  await until("the request is under way", () => sent().length === 1);
  const pid = Number(readFileSync(join(folder, "state", "notify", "sender.lock.pid"), "utf8"));
  process.kill(pid, "SIGKILL");
  const states = async () => {
    const [notice] = (await client.notify_history({})).notices;
    return notice?.sends.map(({ channel, state }) => `${channel} ${state}`).join(", ");
  };
  await until("the next channel is told", async () => (await states()) === "chat unknown, hook sent");
  assert.equal(hook.received.length, 1);
  isHeld = false;
  await ask("two");
  await until("the new sender sends", () => sent().length === 2);
  assert.equal(hook.received.length, 1);
  const files = () => readdirSync(join(folder, "state", "notify")).filter((name) => /\.(taken|result)$/.test(name));
  await until("nothing is left in its folder", () => files().length === 0);
});

test("what happens while a killed sender is started again is sent once", async (t) => {
  const chat = await startSink(t, ({ path }, response) =>
    json(response, 200, { ok: true, result: path.endsWith("/getUpdates") ? [] : { message_id: 7 } }),
  );
  const { client, folder } = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0
cooldown_seconds = 0
digest = 1000
[notify.channels.chat]
kind = "telegram"
token = "123:abcdefgh"
chat = 42
server = "${chat.url}"
[[notify.rules]]
kinds = ["ended"]
`,
  );
  const told = () =>
    chat.received.filter(({ path }) => path.endsWith("/sendMessage")).map(({ body }) => String(body.text));
  const lock = join(folder, "state", "notify", "sender.lock.pid");
  const pidNow = () => (existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0);
  const names: string[] = [];
  const end = async () => {
    const name = `job-${names.length}`;
    await client.run({ argv: ["sh", "-c", "exit 3"], name, keep: true });
    names.push(name);
  };
  const sent = async () =>
    (await client.notify_history({ limit: 1_000 })).notices.filter(({ sends }) => sends[0]?.state === "sent");
  await end();
  await until("the first is told", async () => (await sent()).length === 1);
  const pid = pidNow();
  process.kill(pid, "SIGKILL");
  // It starts after a second; these are handed over before it runs, while it begins, and when it reads.
  await until("the next sender has the lock", async () => {
    await end();
    return ![0, pid].includes(pidNow());
  });
  for (let more = 0; more < 3; more++) await end();
  await until("all are sent", async () => (await sent()).length === names.length);
  assert.deepEqual(told().toSorted(), names.map((name) => `${name} failed with code 3`).toSorted());
});
