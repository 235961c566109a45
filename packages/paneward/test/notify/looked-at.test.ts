import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket } from "ws";
import { startDaemon } from "../support/daemon.ts";
import { afterwards } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { startSink } from "./support/sink.ts";

test("what a person is looking at is not sent, in an attached terminal and where a client reports it", async (t) => {
  const hook = await startSink(t, (_received, response) => void response.writeHead(204).end());
  const daemon = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0
[notify.channels.hook]
kind = "webhook"
url = "${hook.url}"
`,
  );
  const { client, env } = daemon;
  const script = "read go; printf 'Deploy? [y/n] '; read answer; sleep 60";
  const ask = (name: string) => client.run({ argv: ["sh", "-c", script], name });
  const why = async (name: string) =>
    (await client.notify_history({})).notices.find(({ title }) => title.startsWith(name))?.why;

  await ask("attached");
  const { argv } = await client.attach({ id: "attached" });
  // A terminal of its own, as that of a person.
  const person = spawn("script", ["-qec", argv.map((word) => `'${word}'`).join(" "), "/dev/null"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...env, TERM: "xterm-256color" },
  });
  afterwards(t, async () => {
    const gone = once(person, "exit");
    person.kill("SIGKILL");
    await gone;
  });
  const isAttached = async () => (await client.sessions({})).sessions.some(({ attached }) => attached > 0);
  await until("the person is attached", isAttached);
  person.stdin.write("go\r");
  await until("it is known that a person looks", async () => (await why("attached")) === "you are looking at it");

  await ask("selected");
  await client.presence({ viewer: "page", sees: ["selected"] });
  await client.send({ id: "selected", text: "go", enter: true });
  await until("it is known that a page shows it", async () => (await why("selected")) === "you are looking at it");
  assert.equal(hook.received.length, 0);

  await client.presence({ viewer: "page", sees: [], seconds: 0 });
  await until("it is told when the page is closed", () => hook.received.length === 1);
  assert.match(String(hook.received[0]?.text), /selected asks yes or no/);

  const { token } = await client.token_create({ name: "page", scope: "send" });
  const headers = { authorization: `Bearer ${token}` };
  const stream = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/api/events/ws?viewer=page`, { headers });
    await once(socket, "open");
    return socket;
  };
  const [first, second] = [await stream(), await stream()];
  await ask("killed");
  const body = JSON.stringify({ viewer: "page", sees: ["killed"], seconds: 300 });
  const json = { "content-type": "application/json" };
  const address = `http://127.0.0.1:${daemon.port}/api/notify/presence`;
  const { status } = await fetch(address, { method: "POST", headers: { ...headers, ...json }, body });
  assert.equal(status, 200);
  await client.send({ id: "killed", text: "go", enter: true });
  await until("it is known that the page shows it", async () => (await why("killed")) === "you are looking at it");
  first.terminate();
  const third = await stream();
  third.close();
  await once(third, "close");
  assert.equal(hook.received.length, 1, "the page has another connection, and one that it closed itself");
  second.terminate();
  await until("it is told when the browser is killed", () => hook.received.length === 2);
  assert.match(String(hook.received[1]?.text), /killed asks yes or no/);
});
