import assert from "node:assert/strict";
import { test } from "node:test";
import { operationNames, PanewardError } from "@paneward/sdk";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { parseStreamQuery } from "../../src/http/events/stream-query.ts";
import { parseJsonObject } from "../../src/http/operations/body.ts";
import { parseInput } from "../../src/http/operations/input.ts";
import { sampleInputs } from "../support/samples.ts";

const rounds = process.env.PANEWARD_SOAK ? 20_000 : 200;

const hostile: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e21, Number.NaN, "", " ", "0", "1e3", "9".repeat(30), "x".repeat(10_000), "\u0000"],
  ...["\ud800", "../x", "__proto__", "constructor", [], [null], [[]], [["a"]], {}, { kind: "idle" }, { length: 3 }],
  ...[JSON.parse('{"__proto__":{"id":"t1"}}'), JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)],
];

/** A sample with some values replaced, at any depth, and some fields added. */
function mutated(source: Random, value: unknown): unknown {
  if (source.below(6) === 0) return source.pick(hostile);
  if (Array.isArray(value)) return value.map((one) => mutated(source, one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, mutated(source, inner)]);
  if (source.below(6) === 0) entries.push([source.pick(["__proto__", "constructor", "frob"]), source.pick(hostile)]);
  return Object.fromEntries(entries);
}

/** Runs it; a failure must be a clear refusal. */
function acceptsOrRefuses(parse: () => unknown): "accepted" | "refused" {
  try {
    parse();
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof PanewardError, String(error));
    assert.equal(error.code, "bad_input");
    assert.match(error.message, /^[^\u0000-\u0009\u000b-\u001f]{1,1001}$/);
    return "refused";
  }
}

test("whatever is given as an input, it is parsed or refused with a clear error", (t) => {
  const source = random(t);
  const outcomes = { accepted: 0, refused: 0 };
  for (const name of operationNames) {
    for (let round = 0; round < rounds; round++) {
      const input = mutated(source, sampleInputs[name]) ?? {};
      const given = typeof input === "object" ? input : { input };
      outcomes[acceptsOrRefuses(() => parseInput(name, given))] += 1;
      if (round % 10 === 0)
        acceptsOrRefuses(() => parseStreamQuery(given as never, source.pick([undefined, "1", "x"])));
    }
  }
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok(Math.min(outcomes.accepted, outcomes.refused) > rounds);
});

test("whatever bytes a body has, it is an object or refused with a clear error", (t) => {
  const source = random(t);
  const text = JSON.stringify({ text: "日本 🙂", list: [1, { deep: [[]] }], "\u0000": null });
  for (let round = 0; round < rounds * 10; round++) {
    const bytes = Buffer.from(text);
    for (let left = source.below(4); left > 0; left--) bytes[source.below(bytes.length)] = source.below(256);
    acceptsOrRefuses(() => parseJsonObject(bytes.subarray(source.below(3), bytes.length - source.below(3))));
  }
});
