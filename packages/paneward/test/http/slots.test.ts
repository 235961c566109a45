import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { createSlots } from "../../src/http/slots.ts";

/** Connections of programs, without a network; whose they are is known when the test says so. */
function stage(maxStrangers: number) {
  const known = new Map<Socket, boolean>();
  const looks: (() => void)[] = [];
  const own = {
    add() {},
    known: (connection: Socket) => known.get(connection),
    look: () => new Promise<void>((resolve) => void looks.push(resolve)),
  };
  const slots = createSlots({ maxStrangers, maxKept: 100 }, own);
  const open = new Set<Socket>();
  const connect = (isOwn: boolean) => {
    const socket = Object.assign(new EventEmitter(), {
      destroy() {
        open.delete(socket as unknown as Socket);
        socket.emit("close");
      },
    });
    const connection = socket as unknown as Socket;
    open.add(connection);
    slots.add(connection);
    return { connection, isOwn };
  };
  const look = async (all: readonly ReturnType<typeof connect>[]) => {
    for (const { connection, isOwn } of all) known.set(connection, isOwn);
    for (const resolve of looks.splice(0)) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { connect, look, open };
}

describe("when there are too many connections of strangers", () => {
  test("those that this user holds open make room for one that was not looked up yet", async () => {
    const { connect, look, open } = stage(4);
    const held = Array.from({ length: 7 }, () => connect(true));
    const first = connect(true);
    await look(held);
    const more = [connect(true), connect(true), connect(true)];
    assert.deepEqual(
      [first, ...more].filter(({ connection }) => !open.has(connection)),
      [],
    );
    assert.deepEqual(
      held.filter(({ connection }) => open.has(connection)),
      held.slice(-4),
    );
  });

  test("there are never more than twice as many, and once all are known, those of others went first", async () => {
    await fuzz(async (random) => {
      const most = 3 + random.below(6);
      const { connect, look, open } = stage(most);
      const all: ReturnType<typeof connect>[] = [];
      for (let steps = 10 + random.below(60); steps > 0; steps--) {
        if (random.below(8) === 0) await look(all.filter(() => random.below(3) > 0));
        else all.push(connect(random.below(2) === 0));
        assert.ok(open.size <= most * 2, `${open.size} of ${most}`);
      }
      const before = [...open];
      await look(all);
      assert.equal(open.size, Math.min(before.length, most));
      const ended = all.filter(({ connection }) => before.includes(connection) && !open.has(connection));
      const left = all.filter(({ connection }) => open.has(connection));
      if (ended.some(({ isOwn }) => isOwn))
        assert.deepEqual(
          left.filter(({ isOwn }) => !isOwn),
          [],
        );
    }, 300);
  });
});
