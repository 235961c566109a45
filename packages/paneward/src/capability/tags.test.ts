import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findTags, tagLimits } from "./tags.ts";

const read = (text: string) =>
  findTags(text).map((found) =>
    "fault" in found ? found.fault : { ...Object.fromEntries(found.tag.attributes), body: found.tag.body },
  );

describe("tags in a text", () => {
  test("are found between prose, comments and other markup", () => {
    const text = `Sure! <b>First</b> a < b && c
      <!-- <capability name="tmux" action="never" /> -->
      <capability name="tmux" action="init" /> and then
      <capability name='tmux'
        action="send" pane="0.1">ls</capability> done <capabilityx a="1"/>`;
    assert.deepEqual(read(text), [
      { name: "tmux", action: "init", body: "" },
      { name: "tmux", action: "send", pane: "0.1", body: "ls" },
    ]);
  });

  const bodies: readonly (readonly [string, string])[] = [
    ["a &lt; b &amp;&amp; &quot;c&quot; &apos;d&apos; &gt;", `a < b && "c" 'd' >`],
    ["make 2>&1 && echo $((1 & 2)) & wait", "make 2>&1 && echo $((1 & 2)) & wait"],
    ["<![CDATA[if (a < b) { c && d }]]>", "if (a < b) { c && d }"],
    ["echo <b>bold</b> <br/>", "echo <b>bold</b> <br/>"],
    ["&lol; &#65;&#x42; &nbsp;", "&lol; AB &nbsp;"],
    ["&#3;", "\u0003"],
    ["a&#27;b&#x1b;c&#X1B;d&#003;", "a\u001bb\u001bc\u001bd\u0003"],
    ["&amp;#3; &constructor; &__proto__; &toString;", "&#3; &constructor; &__proto__; &toString;"],
    ["cat <<EOF\none\ntwo\nEOF", "cat <<EOF\none\ntwo\nEOF"],
  ];
  for (const [written, meant] of bodies) {
    test(`the body ${JSON.stringify(written)} is decoded leniently`, () => {
      assert.deepEqual(read(`<capability name="tmux">${written}</capability>`), [{ name: "tmux", body: meant }]);
    });
  }

  test("the capability's name and a window's name are both kept", () => {
    const [found] = findTags('<capability name="tmux" action="window" name="experiments" />');
    assert.deepEqual(found && "tag" in found && found.tag.attributes, [
      ["name", "tmux"],
      ["action", "window"],
      ["name", "experiments"],
    ]);
  });

  test("a control character is written as a reference, in an attribute and in a body, at each code", () => {
    for (let code = 0; code < 128; code++) {
      for (const reference of [`&#${code};`, `&#x${code.toString(16)};`]) {
        const character = String.fromCharCode(code);
        assert.deepEqual(read(`<capability command="${reference}">${reference}</capability>`), [
          { command: character, body: character },
        ]);
      }
    }
  });

  test("an attribute may hold shell syntax", () => {
    const command = "git clone x && cd repo > out 2>&1 < in; echo 'a'";
    assert.deepEqual(read(`<capability command="${command}" />`), [{ command, body: "" }]);
  });

  test("an unclosed one is a fault, and the next one is still read", () => {
    assert.deepEqual(read('<capability name="a <capability name="tmux" action="list" />').length, 1);
    assert.match(String(read("<capability name='a'> and nothing more")[0]), /not closed/);
    const both = read('<capability name="x"> text <capability name="tmux" action="list" />');
    assert.deepEqual(both.at(-1), { name: "tmux", action: "list", body: "" });
  });

  test("have limits", () => {
    const many = '<capability name="tmux" />'.repeat(tagLimits.tags + 1);
    assert.match(String(read(many).at(-1)), /More than 50 calls/);
    assert.match(String(read("x".repeat(tagLimits.text + 1))[0]), /longer than/);
    assert.match(String(read(`<capability a="${"x".repeat(tagLimits.attribute + 1)}" />`)[0]), /attribute a is longer/);
    const wide = Array.from({ length: tagLimits.attributes + 1 }, (_, at) => `a${at}="1"`).join(" ");
    assert.match(String(read(`<capability ${wide} />`)[0]), /More than 30 attributes/);
    assert.match(String(read('<capability a="1"><!DOCTYPE x [<!ENTITY a "b">]></capability>')[0]), /declaration/);
  });

  test("a text of only opening tags stops at the limit", () => {
    const found = findTags("<capability ".repeat(20_000));
    assert.equal(found.length, tagLimits.tags + 1);
    assert.deepEqual(found.at(-1), { fault: `More than ${tagLimits.tags} calls in one text` });
  });
});

test("a text in which nothing ends is searched once, not again from each beginning", () => {
  const answers = ["<!--", "<capability>", "<capability><b>", '<capability a="', "<capability <!--"].map((piece) => {
    const { user } = process.cpuUsage();
    const found = findTags(piece.repeat(tagLimits.text / piece.length));
    const ms = (process.cpuUsage().user - user) / 1_000;
    assert.ok(ms < 500, `${piece}: ${ms} ms`);
    return found.every((one) => "fault" in one);
  });
  assert.ok(answers.every(Boolean));
  const good = findTags(`<!-- a --> ${"<!-- ".repeat(100)}<capability name="tmux" action="list" />`);
  assert.deepEqual(
    good.map((one) => "tag" in one),
    [true],
  );
});
