import assert from "node:assert/strict";
import { test } from "node:test";
import { Mailbox } from "./mailbox.ts";

test("values are delivered in order, including those put before the end", async () => {
  const mailbox = new Mailbox<number>();
  mailbox.put([1, 2]);
  const read = (async () => {
    const values: number[] = [];
    for await (const value of mailbox) values.push(value);
    return values;
  })();
  await Promise.resolve();
  mailbox.put([3]);
  mailbox.end();
  mailbox.put([4]);
  assert.deepEqual(await read, [1, 2, 3]);
});

test("a reader that starts after the end gets the remaining values", async () => {
  const mailbox = new Mailbox<number>();
  mailbox.put([1]);
  mailbox.end();
  const values: number[] = [];
  for await (const value of mailbox) values.push(value);
  for await (const value of mailbox) values.push(value);
  assert.deepEqual(values, [1]);
});
