import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decideBack } from "./back.ts";
import { hashOf } from "./files.ts";

const bytes = (text: string) => Buffer.from(text);
const ours = { isIn: (text: string) => text.includes("OURS") };

/** A file in which `before` became `after`, and what was added. */
function made(before: string | undefined, after: string, added?: string) {
  const was = before === undefined ? undefined : bytes(before);
  return {
    path: "/x",
    before: was?.toString("base64") ?? null,
    hashBefore: hashOf(was),
    hashAfter: hashOf(bytes(after)) ?? "",
    ...(added === undefined ? {} : { added }),
    folders: [],
  };
}

describe("what becomes of a file", () => {
  const file = made("a\n", "a\nOURS\n", "OURS\n");
  test("unchanged: the bytes that it had", () => {
    assert.deepEqual(decideBack(file, bytes("a\nOURS\n"), ours), { kind: "restored", bytes: bytes("a\n") });
    assert.deepEqual(decideBack(made(undefined, "OURS"), bytes("OURS"), ours), { kind: "restored", bytes: undefined });
  });
  test("it is back already, removed, or has nothing of ours: nothing", () => {
    for (const now of [bytes("a\n"), undefined, bytes("others\n")])
      assert.deepEqual(decideBack(file, now, ours), { kind: "gone" });
  });
  test("others changed it: only our part, exactly", () => {
    const kind = "removed our part";
    assert.deepEqual(decideBack(file, bytes("b\nOURS\nc\n"), ours), { kind, bytes: bytes("b\nc\n") });
    assert.deepEqual(decideBack(made(undefined, "OURS\n", "OURS\n"), bytes("OURS\nc"), ours), {
      kind,
      bytes: bytes("c"),
    });
    const joined = made("a", "a\nOURS\n", "\nOURS\n");
    assert.deepEqual(
      decideBack(joined, bytes("a\nOURS\nc\n"), ours),
      { kind, bytes: bytes("a\nc\n") },
      "lines stay apart",
    );
    assert.deepEqual(decideBack(joined, bytes("x\na\nOURS\n"), ours), { kind, bytes: bytes("x\na") });
  });
  test("our part was changed: left to the person, unless it can be identified", () => {
    assert.deepEqual(decideBack(file, bytes("a\nOURS changed\n"), ours), { kind: "left" });
    assert.deepEqual(decideBack(file, bytes("a\nOURS\nOURS\n"), ours), { kind: "left" });
    const without = () => "a\n";
    assert.deepEqual(decideBack(file, bytes("a\nOURS changed\n"), { ...ours, without }), {
      kind: "removed our part",
      bytes: bytes("a\n"),
    });
  });
  test("bytes that are no text are kept", () => {
    const odd = Buffer.from([0xff, 0x0a]);
    const now = Buffer.concat([odd, bytes("OURS\n"), odd]);
    assert.deepEqual(decideBack(file, now, ours), { kind: "removed our part", bytes: Buffer.concat([odd, odd]) });
  });
});
