import { randomBytes } from "node:crypto";
import { WebSocket } from "ws";
import type { Random } from "../../../../tmux/test/support/random.ts";
import type { FuzzCase } from "./fuzz-cases.ts";
import { anyScope, type FuzzStage } from "./fuzz-stage.ts";
import { hostileValue, inheritedNames, mutated } from "./hostile.ts";

/** A WebSocket that is opened with a strange address and gets strange messages. */
export async function fuzzSocket(random: Random, stage: FuzzStage): Promise<FuzzCase> {
  const terminal = random.pick(["reads", "ended", "t1", ...inheritedNames, "%zz", "%2e%2e"]);
  const path = random.pick(["/api/events/ws", "/api/activity/ws", `/api/terminals/${terminal}/stream`]);
  const value = () =>
    encodeURIComponent(
      String(JSON.stringify(hostileValue(random)))
        .toWellFormed()
        .slice(0, 200),
    );
  const query = random.pick([
    "",
    `?after=${value()}`,
    "?after=0",
    `?types=${value()}`,
    `?cursor=${value()}`,
    "?cursor=e1:0&replay=1",
  ]);
  const messages = Array.from({ length: random.below(4) }, () => messageOf(random));
  const authorization = `Bearer ${await stage.token(random.pick(anyScope))}`;
  const run = () =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${stage.daemon.port}${path}${query}`, {
        headers: { authorization },
      });
      let text = "";
      socket.on("unexpected-response", (asked, { statusCode = 0 }) => {
        asked.destroy();
        resolve({ status: statusCode, text });
      });
      socket.on("message", (data) => {
        text ||= data.toString().slice(0, 2_000);
        socket.close();
      });
      socket.on("open", () => {
        for (const message of messages) socket.send(message);
        if (path.includes("activity")) socket.close();
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve({ status: 101, text }));
    });
  return { door: "websocket", sent: { path, query, messages: messages.map((one) => String(one).slice(0, 100)) }, run };
}

function messageOf(random: Random): string | Buffer {
  const good = random.pick<unknown>([
    { type: "ack", bytes: 10 },
    { type: "input", data: "" },
    { type: random.pick(inheritedNames) },
  ]);
  return random.pick<() => string | Buffer>([
    () => JSON.stringify(mutated(random, good, 4)) ?? "x",
    () => randomBytes(random.below(300)),
    () => "x".repeat(random.pick([0, 10, 300_000])),
  ])();
}
