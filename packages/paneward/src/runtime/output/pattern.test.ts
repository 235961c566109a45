import assert from "node:assert/strict";
import { test } from "node:test";
import { patternFrom, searchLines, searchText } from "./pattern.ts";

test("a search gives what it finds", async () => {
  assert.equal(await searchText({ who: "me" }, patternFrom("b+", "u"), "abbc"), "bb");
  assert.equal(await searchText({ who: "me" }, patternFrom("x", "u"), "abbc"), undefined);
  assert.equal(await searchText({ who: "me" }, patternFrom("^b(?=c)", "mu"), "a\nbc"), "b");
  assert.equal(await searchText({ who: "me" }, patternFrom("(?<one>\\p{L})\\k<one>", "u"), "aéé"), "éé");
});

test("lines are searched as they become whole, and the unfinished one as it is", async () => {
  const ready = [patternFrom("^never", "u"), patternFrom("^ready", "u")];
  assert.deepEqual(await searchLines({ who: "me" }, ready, "ady\nready 2\n", "re"), {
    whole: "ready",
    match: "ready",
    rest: "",
  });
  assert.deepEqual(await searchLines({ who: "me" }, ready, "building\nready", ""), {
    whole: undefined,
    match: "ready",
    rest: "ready",
  });
});

test("searches that are asked for side by side get their own answers", async () => {
  const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
  const found = await Promise.all(texts.map((text) => searchText({ who: "me" }, /\d+/u, text)));
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
    const search = searchText({ who: "me" }, patternFrom(source, "u"), text).finally(() => clearInterval(clock));
    await assert.rejects(search, { code: "bad_input", message: /takes too long to match/, hint: /repetition/ });
    assert.ok(ticks > 10, `the event loop turned ${ticks} times`);
    assert.equal(await searchText({ who: "me" }, /a+/u, "baab"), "aa");
  });
}

test("what a caller that has left waited for is not searched any more", async () => {
  const leaving = new AbortController();
  const slow = searchText({ who: "other" }, patternFrom("(a+)+b", "u"), "a".repeat(60));
  const late = searchText({ who: "me", signal: leaving.signal }, /a/u, "a");
  leaving.abort();
  await assert.rejects(late, { code: "unavailable" });
  await assert.rejects(slow, { code: "bad_input" });
});

test("an invalid regular expression is refused with its reason", () => {
  assert.throws(() => patternFrom("(", "u"), { code: "bad_input", message: /^\( is not a regular expression/ });
});
