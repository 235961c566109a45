import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startDaemon } from "../support/daemon.ts";
import { afterwards, type Cleanup } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { pingBeside } from "./support/beside.ts";

const callers = 20;
const perSecond = 50;
const paths = ["/api/ps", "/api/doctor", "/api/events?limit=100", "/api/openapi.json", "/api/ping"];

test(`${callers} callers at their limit, and connections that are half open, leave others their answers`, async (t) => {
  const daemon = await startDaemon(t);
  const { client, port } = daemon;
  const { root } = makeRepository(daemon);
  for (let count = 0; count < 20; count++) await client.run({ argv: ["sleep", "1000"], name: `n${count}` });
  const alone = await timed(() => client.new({ root, text: "alone", agent: "shell" }));

  const half = await halfOpen(t, port, 400);
  const tokens = await Promise.all(
    Array.from({ length: callers }, () => client.token_create({ scope: "read", name: "busy" })),
  );
  const stop = new AbortController();
  const counts = new Map<number, number>();
  const busy = tokens.map(({ token }) => callAll(port, token, stop.signal, counts));
  const beside = pingBeside(daemon);
  await delay(3_000);
  const crowded = await timed(() => client.new({ root, text: "crowded", agent: "shell" }));
  await delay(3_000);
  stop.abort();
  await Promise.all(busy);
  const { worstMs, pings } = await beside.stop();
  t.diagnostic(
    JSON.stringify({ counts: Object.fromEntries(counts), alone, crowded, worstPingMs: worstMs, pings, half: half() }),
  );
  assert.deepEqual(
    [...counts.keys()].filter((status) => status !== 200 && status !== 429),
    [],
  );
  assert.ok((counts.get(200) ?? 0) > callers * 10, "they were served");
  assert.ok(worstMs < 1_000, `no answer for ${worstMs} ms`);
  assert.ok(crowded < 20 * alone, `new took ${crowded} ms, alone ${alone} ms`);
  await until("the half-open ones are closed", () => half() === 0);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

/** A caller that always asks again, as fast as it is let. */
async function callAll(port: number, token: string, signal: AbortSignal, counts: Map<number, number>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { authorization: `Bearer ${token}` };
  const one = async (at: number) => {
    while (!signal.aborted) {
      const asking = request({ port, host: "127.0.0.1", path: paths[at++ % paths.length], headers, agent }).end();
      const [answer] = await once(asking, "response");
      counts.set(answer.statusCode, (counts.get(answer.statusCode) ?? 0) + 1);
      await once(answer.resume(), "end");
      // Twice what is allowed.
      await delay(8_000 / (2 * perSecond));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, at) => one(at)));
  agent.destroy();
}

/** Connections that send a byte of their headers now and then; returns how many are open. */
async function halfOpen(t: Cleanup, port: number, count: number): Promise<() => number> {
  const sockets = Array.from({ length: count }, () =>
    connect(port, "127.0.0.1")
      .resume()
      .on("error", () => {}),
  );
  for (const socket of sockets) socket.write("GET /api/ping HTTP/1.1\r\nX-");
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("x");
  }, 500);
  afterwards(t, () => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  });
  return () => sockets.filter(({ closed }) => !closed).length;
}
