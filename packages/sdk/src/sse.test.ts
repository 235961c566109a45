import assert from "node:assert/strict";
import { test } from "node:test";
import { parseServerSentEvents, type ServerSentEvent } from "./sse.ts";

async function parse(pieces: readonly string[]): Promise<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  async function* chunks() {
    yield* pieces;
  }
  for await (const event of parseServerSentEvents(chunks())) events.push(event);
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
