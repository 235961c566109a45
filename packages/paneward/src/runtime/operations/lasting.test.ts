import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationName, operationNames, PanewardError, routes } from "@paneward/sdk";
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

test("on a full disk a program is ended all the same, and nothing else is acknowledged", async () => {
  const full = new PanewardError("storage_full", "no room");
  const store = { settled: () => Promise.reject(full) };
  const ends: Readonly<Record<string, boolean>> = { stop: true, complete: true, rm: true };
  for (const name of lastingOperations) {
    const handlers = { [name]: async () => "done" } as unknown as Partial<Handlers>;
    const call = lasting(store, handlers)[name] as unknown as () => Promise<unknown>;
    if (ends[name]) assert.equal(await call(), "done");
    else await assert.rejects(call(), full);
  }
});

/** What a power cut may undo, because it ends with the machine or can be seen and repeated. */
const mayBeLost: Readonly<Record<string, readonly OperationName[]>> = {
  "a program, which a power cut ends too": ["run", "restart", "restore", "attach", "adopt", "start", "capability"],
  "a task or terminal, which is listed, and whose work is in git": ["new", "edit", "reset", "merge", "undo"],
  "files of a worktree": ["bootstrap"],
  "a notice that is sent again when it is asked for again": ["notify_test"],
  "a message, which is listed": ["team_open", "thread_start", "thread_post"],
  "keys and text for any pane, which no receipt records": ["send_text", "send_keys"],
  "a file that is attached again": ["attachment_add"],
  "nothing that is stored": [
    "shutdown",
    "refresh",
    "focus",
    "wait",
    "login_link",
    "pair_start",
    "pair_refuse",
    "health",
    "presence",
  ],
};

test("every operation that changes something lasts, or is known to do without", () => {
  const changing = operationNames.filter((name) => routes[name].method !== "get");
  const named = [...lastingOperations, ...Object.values(mayBeLost).flat()];
  assert.deepEqual(named.toSorted(), changing.toSorted());
  const stored = changing.filter(
    (name) => routes[name].scope === "admin" && !mayBeLost["nothing that is stored"]?.includes(name),
  );
  assert.deepEqual(
    stored.filter((name) => !lastingOperations.some((one) => one === name)),
    [],
  );
});

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
