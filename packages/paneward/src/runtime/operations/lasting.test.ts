import assert from "node:assert/strict";
import { test } from "node:test";
import type { Handlers } from "../calls.ts";
import { lasting, lastingOperations } from "./lasting.ts";

for (const name of lastingOperations) {
  test(`${name} is acknowledged only when what it wrote is on the disk`, async () => {
    const order: string[] = [];
    const disk = Promise.withResolvers<void>();
    const store = {
      settled: () => {
        order.push("asked for");
        return disk.promise;
      },
    };
    const handlers = { [name]: async () => order.push("written") } as unknown as Partial<Handlers>;
    const call = lasting(store, handlers)[name] as unknown as () => Promise<unknown>;
    const acknowledged = call().then(() => order.push("acknowledged"));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(order, ["written", "asked for"]);
    disk.resolve();
    await acknowledged;
    assert.deepEqual(order, ["written", "asked for", "acknowledged"]);
  });
}

test("an operation that cannot be made to last is not acknowledged", async () => {
  const store = { settled: () => Promise.reject(new Error("no disk")) };
  const handlers = lasting(store, { token_create: async () => ({}) } as unknown as Partial<Handlers>);
  await assert.rejects((handlers.token_create as unknown as () => Promise<unknown>)(), /no disk/);
});

test("other operations do not wait for the disk", async () => {
  const store = { settled: () => Promise.reject(new Error("it was asked for")) };
  const ps = async () => ({ tasks: [] });
  assert.equal(lasting(store, { ps } as unknown as Partial<Handlers>).ps, ps as unknown);
});
