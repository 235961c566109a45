import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasBlock, withBlock, withoutBlock } from "./block.ts";

const block = { name: "ours", lines: ["one", "two"] };
const whole = "# >>> ours >>>\none\ntwo\n# <<< ours <<<";

describe("a block in a file of others", () => {
  for (const [what, text, added] of [
    ["an empty file", "", `${whole}\n`],
    ["a file of whole lines", "a\nb\n", `${whole}\n`],
    ["a file whose last line has no end", "a\nb", `\n${whole}\n`],
  ] as const) {
    test(`is added at the end of ${what}, once, and what was added is known exactly`, () => {
      const made = withBlock(text, block);
      assert.deepEqual(made, { text: text + added, added });
      assert.equal(withBlock(made?.text ?? "", block), undefined);
      assert.equal(hasBlock(made?.text ?? "", "ours"), true);
      assert.equal(hasBlock(text, "ours"), false);
    });
  }

  test("is replaced in its place when it was changed", () => {
    const changed = `a\n${whole.replace("two", "three")}\nb\n`;
    assert.deepEqual(withBlock(changed, block), { text: `a\n${whole}\nb\n`, added: whole });
  });

  test("is removed with its own lines only, whatever is in it", () => {
    assert.equal(withoutBlock(`a\n${whole}\nb\n`, "ours"), "a\nb\n");
    assert.equal(withoutBlock(`a\n${whole.replace("two", "x\ny")}\n`, "ours"), "a\n");
  });

  test("is not removed where its marks do not say where it ends", () => {
    for (const text of [
      "a\n",
      whole.replace("# <<< ours <<<", ""),
      `${whole}\n${whole}\n`,
      "# <<< ours <<<\n# >>> ours >>>",
    ]) {
      assert.equal(withoutBlock(text, "ours"), undefined, text);
    }
  });
});
