import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, PanewardError } from "@paneward/sdk";
import { sayingSilence } from "./silence.ts";

const never = () => new Promise<never>(() => {});

/** A daemon that answers pings and calls as it is told, on a clock of its own. */
function daemon({ pid }: { readonly pid?: string } = { pid: "4711" }) {
  let now = 0;
  let nextPing: () => Promise<unknown> = never;
  const due = new Set<{ readonly at: number; readonly act: () => void }>();
  const notes: string[] = [];
  const client = { ps: never, new: never, wait: never, read: never } as unknown as Client;
  const heard = sayingSilence({
    ping: () => nextPing(),
    note: (text) => notes.push(`${now} ${text}`),
    pid: () => pid,
    after(ms, act) {
      const one = { at: now + ms, act };
      due.add(one);
      return () => void due.delete(one);
    },
  });
  const until = async (ms: number) => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = [...due].filter(({ at }) => at <= ms).sort((one, other) => one.at - other.at);
      if (!first) break;
      due.delete(first);
      now = first.at;
      first.act();
    }
    now = ms;
  };
  const pings = (answer: () => Promise<unknown>) => {
    nextPing = answer;
  };
  return { client: (own: object = {}) => heard({ ...client, ...own } as Client), notes, until, pings, due };
}

test("a daemon that answers nobody is said after 2.5 s; a read is given up after 10, with how to end the process", async () => {
  const { client, notes, until } = daemon();
  const failed = assert.rejects(client().ps({}), (error: PanewardError) => {
    assert.equal(error.code, "unavailable");
    assert.equal(error.message, "the daemon (pid 4711) takes calls and does not answer");
    assert.match(error.hint, /`kill -CONT 4711` resumes it, `kill -KILL 4711` ends it and no terminal/);
    return true;
  });
  await until(2_499);
  assert.deepEqual(notes, []);
  await until(9_999);
  assert.deepEqual(notes, ["2500 waiting, the daemon does not answer"]);
  await until(10_000);
  await failed;
});

test("where the process is not known, the hint says how to find it", async () => {
  const { client, until } = daemon({});
  const failed = assert.rejects(client().ps({}), { hint: /`pgrep -af paneward` finds it, .*`kill -KILL PID`/ });
  await until(10_000);
  await failed;
});

test("what changes something is given up later, and its outcome is unknown", async () => {
  const { client, until } = daemon();
  const failed = assert.rejects(client().new({} as never), {
    code: "outcome_unknown",
    message: "the daemon (pid 4711) does not answer; it may still do what it was asked",
    hint: /look with `paneward ps`/,
  });
  await until(20_000);
  await failed;
});

test("what waits keeps its time, and all calls together say it once", async () => {
  const { client, notes, until } = daemon();
  let ended = "";
  const one = client();
  one.wait({ timeout: 600 } as never).catch(() => {
    ended += "wait ";
  });
  one.read({ id: "t1", wait: 60 } as never).catch(() => {
    ended += "read ";
  });
  await until(69_999);
  assert.equal(ended, "");
  await until(609_999);
  assert.equal(ended, "read ");
  await until(610_000);
  assert.equal(ended, "read wait ");
  assert.deepEqual(notes, ["2500 waiting, the daemon does not answer"]);
});

test("a call that takes long is no silence; a daemon that answers again is said", async () => {
  const { client, notes, until, pings } = daemon();
  pings(async () => ({}));
  let ended = false;
  client()
    .new({} as never)
    .finally(() => {
      ended = true;
    });
  await until(3_600_000);
  assert.equal(notes.length, 0);
  const { promise, resolve } = Promise.withResolvers<void>();
  pings(() => promise);
  await until(3_610_000);
  assert.equal(notes.length, 1);
  pings(async () => ({}));
  resolve();
  await until(7_200_000);
  assert.deepEqual(
    notes.map((note) => note.replace(/^\d+ /, "")),
    ["waiting, the daemon does not answer", "the daemon answers again"],
  );
  assert.equal(ended, false);
});

test("no daemon at all is no silence, and an answer leaves nothing behind", async () => {
  const { client, notes, until, pings, due } = daemon();
  pings(async () => {
    throw new PanewardError("unavailable", "no daemon listens");
  });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const answer = client({ ps: () => promise }).ps({});
  await until(60_000);
  resolve("answered");
  assert.equal(await answer, "answered");
  assert.deepEqual(notes, []);
  assert.equal(due.size, 0);
});
