import assert from "node:assert/strict";
import { test } from "node:test";
import { parseServerSentEvents, type ServerSentEvent } from "./sse.ts";

async function parse(pieces: readonly string[], maxLength?: number): Promise<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  async function* chunks() {
    yield* pieces;
  }
  for await (const event of parseServerSentEvents(chunks(), maxLength)) events.push(event);
  return events;
}

const text =
  'id: 1\nevent: task_created\ndata: {"a":"ü"}\n\n: a comment\n\nid: 2\nevent: heartbeat\ndata: {}\n\ndata: one\ndata: two\n\n';

const expected = [
  { id: "1", event: "task_created", data: '{"a":"ü"}' },
  { id: "2", event: "heartbeat", data: "{}" },
  { id: undefined, event: "message", data: "one\ntwo" },
];

test("a stream is read the same whatever pieces it comes in", async () => {
  assert.deepEqual(await parse([text]), expected);
  assert.deepEqual(await parse([...text]), expected);
  for (let at = 1; at < text.length; at++) assert.deepEqual(await parse([text.slice(0, at), text.slice(at)]), expected);
});

test("what was cut off before its end is left out", async () => {
  assert.deepEqual(await parse([text, "id: 3\nevent: task_created\ndata: {}\n"]), expected);
});

const dataOf = async (pieces: readonly string[], maxLength?: number) =>
  (await parse(pieces, maxLength)).map(({ data }) => data);

const mixed =
  ': hello\n\nid: 1\ndata: {"a":1}\n\ndata: two\r\ndata: lines\r\n\r\nevent: x\n\ndata:tight\n\ndata: unfinished';

test("each message's data is given once it is over; comments and names without data are not", async () => {
  assert.deepEqual(await dataOf([mixed]), ['{"a":1}', "two\nlines", "tight"]);
});

test("any split of a stream with Windows lines gives the same", async () => {
  for (let size = 1; size < mixed.length; size++) {
    const pieces = mixed.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    assert.deepEqual(await dataOf(pieces), ['{"a":1}', "two\nlines", "tight"], `in pieces of ${size}`);
  }
});

test("a message that is too long is left out whole, and the next one is delivered", async () => {
  for (const end of ["\n", "\r\n"]) {
    const lines = [`data: ${"x".repeat(90)}`, "data: end", "", "data: next", "", ""].join(end);
    for (let size = 1; size <= lines.length; size++) {
      const pieces = lines.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      assert.deepEqual(await dataOf(pieces, 50), ["next"], `in pieces of ${size}`);
    }
  }
  const two = [`data: ${"x".repeat(30)}\n`, `data: ${"y".repeat(30)}\n`, "\ndata: next\n\n"];
  assert.deepEqual(await dataOf(two, 50), ["next"]);
});
