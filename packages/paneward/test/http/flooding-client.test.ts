import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { ask } from "./support/ask.ts";
import { frames, rawWebSocket } from "./support/raw-websocket.ts";
import { served } from "./support/served.ts";

const inputs = (count: number) => frames("text", '{"type":"input","data":"x"}', count);

test("a client that may only read but types gets one error and is disconnected", async (t) => {
  const { client, port } = await startDaemon(t);
  const { token } = await client.token_create({ scope: "read" });
  const { id } = await client.run({ argv: ["cat"] });
  const socket = await rawWebSocket(t, port, `/api/terminals/${id}/stream`, token);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.resume().write(inputs(60_000));
  await once(socket, "close");
  assert.equal(received.split('"type":"refused"').length - 1, 1);
  assert.match(received, /typing needs the scope send; yours is read/);
  assert.match(received, /not_allowed$/, "the reason of the close");
});

test("while a client types without reading that it is refused, and after it has left, others are answered", async (t) => {
  const { client, port, env } = await startDaemon(t);
  const { token } = await client.token_create({ scope: "send" });
  const { id } = await client.run({ argv: ["sh", "-c", "exit 0"] });
  await client.wait({ ids: [id], for: [{ kind: "exited" }] });
  const socket = await rawWebSocket(t, port, `/api/terminals/${id}/stream`, token);
  let longest = 0;
  const ping = async () => {
    const began = performance.now();
    await client.ping({});
    longest = Math.max(longest, performance.now() - began);
  };
  let isTaken = false;
  socket.write(inputs(60_000), () => {
    isTaken = true;
  });
  for (let count = 0; count < 20 && !isTaken; count++) await ping();
  socket.destroy();
  await until("the client is gone", async () => {
    await ping();
    const { text } = await ask(env.PANEWARD_SOCKET_PATH ?? "", { path: "/metrics" });
    return /^paneward_websocket_clients 0/m.test(text);
  });
  await ping();
  assert.ok(longest < 1_500, `a ping took ${longest} ms`);
});

test("many pings at once get few answers, and the newest is answered", async (t) => {
  const { port, token } = await served(t);
  const socket = await rawWebSocket(t, port, "/api/events/ws", token("read"));
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.resume().write(Buffer.concat([frames("ping", "early", 1_000), frames("ping", "the last one", 1)]));
  await until("the last ping is answered", () => received.includes("\x8a\x0cthe last one"));
  const answers = received.split("early").length - 1;
  assert.ok(answers < 100, `${answers} pongs were sent`);
});

test("a client that sends pongs and reads nothing is disconnected like one that is silent", async (t) => {
  const { port, token } = await served(t, { limits: { heartbeatMs: 50 } });
  const socket = await rawWebSocket(t, port, "/api/events/ws", token("read"));
  const talking = setInterval(() => socket.write(frames("pong", "", 1)), 5);
  t.after(() => clearInterval(talking));
  // It takes what has arrived, but does not look at it.
  socket.on("data", () => {}).resume();
  await until("it is disconnected", () => socket.closed, 5_000);
});
