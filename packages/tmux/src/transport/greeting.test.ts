import assert from "node:assert/strict";
import { test } from "node:test";
import { Greeting, programBegins } from "./greeting.ts";

const said = Buffer.from(`Welcome to the machine!\n12\nno end of line${programBegins}%begin 1\n${programBegins}rest`);
const answer = `%begin 1\n${programBegins}rest`;

for (const size of [1, 3, 7, 1_000]) {
  test(`output before the program is stripped, in chunks of ${size}`, () => {
    const greeting = new Greeting();
    const pieces = [];
    for (let at = 0; at < said.length; at += size) pieces.push(greeting.after(said.subarray(at, at + size)));
    assert.equal(Buffer.concat(pieces).toString(), answer);
  });
}

test("without the mark there is no answer", () => {
  const greeting = new Greeting();
  assert.equal(greeting.after(Buffer.from("This account is not available.\n")).length, 0);
});
