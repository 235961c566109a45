import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fuzz, hostileText, type Random } from "../../../tmux/test/support/random.ts";
import { decodeMessage, encodeMessage } from "../../src/notify/dbus/message.ts";
import { decoded, encoded, typesIn } from "../../src/notify/dbus/values.ts";

describe("values of D-Bus", () => {
  const cases: readonly (readonly [string, readonly unknown[], string])[] = [
    ["y", [7], "07"],
    ["u", [258], "02010000"],
    ["i", [-1], "ffffffff"],
    ["b", [true], "01000000"],
    ["s", ["ab"], "02000000616200"],
    ["g", ["as"], "02617300"],
    // A number after a byte begins at a multiple of four, a struct at one of eight.
    ["yu", [1, 2], "0100000002000000"],
    ["as", [["a", "b"]], "0e0000000100000061000000010000006200"],
    ["a(yv)", [[]], "0000000000000000"],
  ];
  for (const [signature, values, hex] of cases) {
    test(`${signature} is written as the specification says`, () =>
      assert.equal(encoded(signature, values).toString("hex"), hex));
  }

  test("a signature is split into complete types", () => {
    assert.deepEqual(typesIn("susssasa{sv}i"), ["s", "u", "s", "s", "s", "as", "a{sv}", "i"]);
    assert.deepEqual(typesIn("a(yv)aas(s(uu))"), ["a(yv)", "aas", "(s(uu))"]);
  });

  test("whatever is written is read again", async () => {
    await fuzz((random) => {
      const types = Array.from({ length: 1 + random.below(6) }, () => type(random, 3));
      const values = types.map((one) => value(random, one));
      assert.deepEqual(decoded(types.join(""), encoded(types.join(""), values.map(asWritten))), values.map(asRead));
    }, 2_000);
  });
});

test("a message is read when all of it is there, whatever pieces it comes in", async () => {
  await fuzz((random) => {
    const body = [hostileText(random).replaceAll("\0", ""), random.below(9)];
    const message = {
      type: "call",
      serial: 1 + random.below(99),
      path: "/a/b",
      member: "Notify",
      interface: "a.b",
      destination: "c.d",
      body,
    } as const;
    const bytes = encodeMessage(message, "su");
    assert.equal(decodeMessage(bytes.subarray(0, random.below(bytes.length))), undefined);
    assert.deepEqual(decodeMessage(Buffer.concat([bytes, bytes])), { message, length: bytes.length });
  }, 1_000);
});

interface Held {
  readonly type: string;
  readonly value: unknown;
}

function type({ below, pick }: Random, depth: number): string {
  const simple = pick(["y", "b", "u", "i", "s", "g"]);
  if (depth === 0) return simple;
  const inner = () => type({ below, pick }, depth - 1);
  return pick([
    () => simple,
    () => simple,
    () => `a${inner()}`,
    () => `(${inner()}${inner()})`,
    () => "v",
    () => `a{s${inner()}}`,
  ])();
}

function value(random: Random, of: string): unknown {
  const { below } = random;
  if (of === "y") return below(256);
  if (of === "b") return below(2) === 0;
  if (of === "u") return below(2 ** 32);
  if (of === "i") return below(2 ** 32) - 2 ** 31;
  if (of === "s") return hostileText(random).replaceAll("\0", "");
  if (of === "g") return "a{sv}";
  if (of === "v") {
    const inner = type(random, 1);
    return { type: inner, value: value(random, inner) } satisfies Held;
  }
  if (of.startsWith("a")) return Array.from({ length: below(4) }, () => value(random, of.slice(1)));
  return typesIn(of.slice(1, -1)).map((inner) => value(random, inner));
}

function asWritten(one: unknown): unknown {
  return one;
}

// A variant is read as what it holds.
function asRead(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(asRead);
  return typeof one === "object" && one !== null ? asRead((one as Held).value) : one;
}
