import assert from "node:assert/strict";
import { test } from "node:test";
import { hookDoor } from "../../src/http/doors/hook-door.ts";
import type { DoorCaller } from "../../src/http/doors/mount.ts";
import type { HookWaitDeps } from "../../src/runtime/answering/hook-wait.ts";
import type { Hooks } from "../../src/runtime/witnesses/hooks.ts";

test("too many hooks from one conversation are refused for a while; other conversations are not affected", async () => {
  const clock = { value: 1_000, monotonic: () => clock.value };
  const hooks = { receive: async () => ({ status: "ignored" }) } as unknown as Hooks;
  const { answer } = hookDoor({ clock } as unknown as HookWaitDeps, hooks);
  const caller = { scope: "send", who: "a hook" } as DoorCaller;
  const post = async (session_id: string) => {
    const body = JSON.stringify({ session_id });
    return (await answer(new Request("http://box/hook/stop", { method: "POST", body }), caller)).status;
  };
  const statuses = async (count: number, session: string) =>
    (await Promise.all(Array.from({ length: count }, () => post(session)))).toSorted();

  assert.deepEqual(await statuses(203, "flood"), [...Array(200).fill(200), 429, 429, 429]);
  assert.deepEqual(await statuses(2, "other"), [200, 200]);
  clock.value += 100;
  assert.deepEqual(await statuses(6, "flood"), [200, 200, 200, 200, 200, 429]);
});

test("an endless body is refused as soon as it is too long", async () => {
  const { answer } = hookDoor({ clock: { monotonic: () => 0 } } as unknown as HookWaitDeps, {} as Hooks);
  const chunk = new Uint8Array(1_048_576).fill(0x20);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(chunk);
    },
  });
  const request = new Request("http://box/hook/stop", { method: "POST", body, duplex: "half" });
  const { status } = await answer(request, { scope: "send", who: "a hook" } as DoorCaller);
  assert.equal(status, 400);
  assert.ok(sent < 10, `${sent} MiB were read`);
});
