import assert from "node:assert/strict";
import { test } from "node:test";
import { patternFrom, searchLines, searchText } from "./pattern.ts";

test("a search gives what it finds", async () => {
  assert.equal(await searchText(patternFrom("b+", "u"), "abbc"), "bb");
  assert.equal(await searchText(patternFrom("x", "u"), "abbc"), undefined);
  assert.equal(await searchText(patternFrom("^b(?=c)", "mu"), "a\nbc"), "b");
  assert.equal(await searchText(patternFrom("(?<one>\\p{L})\\k<one>", "u"), "aéé"), "éé");
});

test("lines are searched as they become whole, and the unfinished one as it is", async () => {
  const ready = [patternFrom("^never", "u"), patternFrom("^ready", "u")];
  assert.deepEqual(await searchLines(ready, "ady\nready 2\n", "re"), { whole: "ready", match: "ready", rest: "" });
  assert.deepEqual(await searchLines(ready, "building\nready", ""), {
    whole: undefined,
    match: "ready",
    rest: "ready",
  });
});

test("searches that are asked for side by side get their own answers", async () => {
  const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
  const found = await Promise.all(texts.map((text) => searchText(/\d+/u, text)));
  assert.deepEqual(
    found,
    texts.map((_, at) => String(at)),
  );
});

const hostile: readonly (readonly [pattern: string, text: string])[] = [
  ["(a+)+b", `${"a".repeat(60)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(20)}!`],
  ["(a|aa)+$", `${"a".repeat(80)}b`],
  ["(.*)*\\1x", "ab".repeat(2_000)],
  ["(?=(a+)+b)a", "a".repeat(4_096)],
];
for (const [source, text] of hostile) {
  test(`${source} is refused, the event loop stays free, and the next search is served`, async () => {
    let ticks = 0;
    const clock = setInterval(() => ticks++, 5);
    const search = searchText(patternFrom(source, "u"), text).finally(() => clearInterval(clock));
    await assert.rejects(search, { code: "bad_input", message: /takes too long to match/, hint: /repetition/ });
    assert.ok(ticks > 10, `the event loop turned ${ticks} times`);
    assert.equal(await searchText(/a+/u, "baab"), "aa");
  });
}

test("an invalid regular expression is refused with its reason", () => {
  assert.throws(() => patternFrom("(", "u"), { code: "bad_input", message: /^\( is not a regular expression/ });
});
