import assert from "node:assert/strict";
import { test } from "node:test";
import { hookDoor } from "../../src/http/doors/hook-door.ts";
import type { DoorCaller } from "../../src/http/doors/mount.ts";
import type { HookWaitDeps } from "../../src/runtime/answering/hook-wait.ts";
import type { Hooks } from "../../src/runtime/witnesses/hooks.ts";

test("too many hooks from one conversation are refused for a while; other conversations are not affected", async () => {
  const clock = { value: 1_000, monotonic: () => clock.value };
  const hooks = { hear: async () => ({ status: "ignored" }) } as unknown as Hooks;
  const { answer } = hookDoor({ clock } as unknown as HookWaitDeps, hooks);
  const visitor = { scope: "send", who: "a hook" } as DoorCaller;
  const post = async (session_id: string) => {
    const body = JSON.stringify({ session_id });
    return (await answer(new Request("http://box/hook/stop", { method: "POST", body }), visitor)).status;
  };
  const statuses = async (count: number, session: string) =>
    (await Promise.all(Array.from({ length: count }, () => post(session)))).toSorted();

  assert.deepEqual(await statuses(203, "flood"), [...Array(200).fill(200), 429, 429, 429]);
  assert.deepEqual(await statuses(2, "other"), [200, 200]);
  clock.value += 100;
  assert.deepEqual(await statuses(6, "flood"), [200, 200, 200, 200, 200, 429]);
});
