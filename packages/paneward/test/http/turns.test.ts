import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { createClient } from "@paneward/sdk";
import { unixTransport } from "@paneward/sdk/node";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { openRawLink } from "./support/link.ts";
import { served } from "./support/served.ts";

const steps = 60;
const callers = 16;

test("beside requests without a pause, each step of a long operation waits for a few of them only", async (t) => {
  const { socket, client, most } = await stage(t);
  const transport = unixTransport(socket, "cli");
  t.after(() => transport.close());
  const other = createClient(transport);
  assert.ok((await beside(client, () => other.ping({}), most)) < callers / 2);
});

test("beside calls of a link without a pause, each step of a long operation waits for a few of them only", async (t) => {
  const { socket, client, most } = await stage(t);
  const link = await openRawLink(t, socket);
  let last = 0;
  const ping = async () => {
    const id = ++last;
    link.send({ id, call: "ping", input: {} });
    await link.answer(id);
  };
  assert.ok((await beside(client, ping, most)) < callers / 2);
});

test("calls that are cancelled before their turn are not begun, and do not keep others waiting", async (t) => {
  let waits = 0;
  const { port, token, socket } = await served(t, {
    handlers: {
      wait: (_, { signal }) => {
        waits++;
        return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(sampleOutputs.wait)));
      },
    },
    limits: { perSecond: 1e6, burst: 1e6 },
  });
  const link = await openRawLink(t, port, { authorization: `Bearer ${token("read")}` });
  const other = await openRawLink(t, socket);
  const input = { ids: ["t1"], for: [{ kind: "idle" }] };
  const many = Array.from({ length: 3_000 }, (_, id) => [{ id, call: "wait", input }, { cancel: id }]).flat();
  link.send(...many, { id: 5_000, call: "ping" });
  other.send({ id: 1, call: "ping" });
  await other.answer(1);
  const before = waits;
  await link.answer(5_000);
  assert.ok(before < 100 && waits < 100, `${before} and ${waits} of 3000 were begun`);
});

test("requests of one connection wait for their own, not for all of a caller that sends many", async (t) => {
  const begun: unknown[] = [];
  const { socket } = await served(t, {
    handlers: {
      screen: async ({ id }) => {
        begun.push(id);
        return sampleOutputs.screen;
      },
    },
  });
  const [busy, honest] = [await openRawLink(t, socket), await openRawLink(t, socket)];
  busy.send(...Array.from({ length: 900 }, (_, id) => ({ id, call: "screen", input: { id: "busy" } })));
  await until("it is under way", () => begun.length > 0);
  honest.send({ id: 1, call: "screen", input: { id: "honest" } });
  await honest.answer(1);
  assert.ok(begun.indexOf("honest") < 450, `${begun.indexOf("honest")} of the others were before it`);
});

/** The most pings that began during one step. */
async function beside(client: ReturnType<typeof createClient>, ping: () => Promise<unknown>, most: () => number) {
  let isOver = false;
  const asking = async () => {
    while (!isOver) await ping();
  };
  const busy = Array.from({ length: callers }, asking);
  await client.hosts({});
  isOver = true;
  await Promise.all(busy);
  return most();
}

/** A daemon's app in which a ping takes 3 ms, and `hosts` many steps. */
async function stage(t: TestContext) {
  let begun = 0;
  let most = 0;
  const { socket } = await served(t, {
    handlers: {
      ping: async () => {
        begun++;
        for (const began = performance.now(); performance.now() - began < 3; );
        return sampleOutputs.ping;
      },
      hosts: async () => {
        for (let step = 0; step < steps; step++) {
          const before = begun;
          await stat("/");
          most = Math.max(most, begun - before);
        }
        assert.ok(begun > steps / 2, `only ${begun} requests were beside it`);
        return sampleOutputs.hosts;
      },
    },
  });
  const transport = unixTransport(socket, "cli");
  t.after(() => transport.close());
  return { socket, client: createClient(transport), most: () => most };
}
