import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WebSocket } from "ws";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { ask } from "./support/ask.ts";

const megabyte = 1_000_000;

test("20 MB of events with clients that stop reading or leave: memory stays small, and a reader gets all", async (t) => {
  const daemon = await startDaemon(t);
  const { client, port, folder } = daemon;
  const { token } = await client.token_create({ scope: "read" });
  const headers = { authorization: `Bearer ${token}` };
  const print = `read go; yes "$(printf '%0200d' 7)" | head -c ${20 * megabyte}; echo; echo the-very-end; exec cat`;
  const { id } = await client.run({ argv: ["sh", "-c", print], columns: 100, rows: 30 });
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/terminals/${id}/stream`, { headers });
    t.after(() => socket.terminate());
    await once(socket, "message");
    return socket;
  };
  const ack = (socket: WebSocket, bytes: number) =>
    socket.readyState === socket.OPEN && socket.send(JSON.stringify({ type: "ack", bytes }));

  const silent = await open();
  silent.pause();
  const liar = await open();
  liar.pause();
  const lying = setInterval(() => ack(liar, megabyte), 10);
  t.after(() => clearInterval(lying));
  let left = 0;
  for (const leaver of [await open(), await open(), await open()]) {
    leaver.once("message", () => {
      leaver.terminate();
      left++;
    });
  }
  const reader = await open();
  let end = "";
  let seen = 0;
  reader.on("message", (data: Buffer, isBinary) => {
    ack(reader, data.length);
    seen += isBinary ? data.length : 0;
    end = (end + data.toString("latin1")).slice(-2_000);
  });

  const numbers = async () => (await ask(daemon.env.PANEWARD_SOCKET_PATH ?? "", { path: "/metrics" })).text;
  const number = (text: string, name: string) => Number(new RegExp(`^paneward_${name} (\\d+)`, "m").exec(text)?.[1]);
  assert.ok(number(await numbers(), "websocket_clients") >= 4, "those who read are there");
  await client.send({ id, text: "go" });
  let most = 0;
  await until(
    "the reader sees the end",
    async () => {
      most = Math.max(most, number(await numbers(), "websocket_unsent_bytes"));
      return end.includes("the-very-end");
    },
    90_000,
  );
  assert.ok(most < 4 * megabyte, `${most} bytes were held for clients that do not take them`);
  assert.ok(seen > megabyte, `the reader got ${seen} bytes`);
  await until("those who wanted to leave have left", () => left === 3);
  for (const socket of [silent, liar, reader]) socket.terminate();
  await until("all clients are gone", async () => number(await numbers(), "websocket_clients") === 0);
  assert.equal(number(await numbers(), "websocket_unsent_bytes"), 0);
  const log = readFileSync(join(folder, "state", "daemon.log"), "utf8");
  assert.deepEqual(
    log.split("\n").filter((line) => /"level":"error"|unexpected/i.test(line)),
    [],
  );
});
