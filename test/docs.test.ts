import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { examplesIn, linksIn, tableIn } from "./support/markdown.ts";
import { makePlace } from "./support/place.ts";
import { files, root, text } from "./support/repository.ts";

describe("examples", { concurrency: 3 }, () => {
  const pages = files("README.md", "docs/**/*.md", "packages/*/README.md");
  const found = pages.map((page) => ({ page, examples: examplesIn(text(page)) }));

  test("there are some", () => assert.ok(found.flatMap(({ examples }) => examples).length > 10));

  for (const { page, examples } of found.filter(({ examples }) => examples.length > 0)) {
    test(`${page}, from top to bottom`, async (t) => {
      const place = await makePlace();
      t.after(() => place.close());
      for (const example of examples) {
        await t.test(`line ${example.line} runs`, async () => {
          const { code, stdout, stderr } = await place.run(example);
          assert.equal(code, 0, `${stdout}${stderr}`);
          if (example.prints !== undefined) assert.equal(stdout, example.prints);
        });
      }
    });
  }
});

describe("links", () => {
  for (const page of files("*.md", "docs/**/*.md", "packages/**/*.md")) {
    test(`${page} points to what exists`, () => {
      const broken = linksIn(text(page)).filter((target) => !existsSync(join(root, dirname(page), target)));
      assert.deepEqual(broken, []);
    });
  }
});

describe("reading a page", () => {
  const page = [
    "See [this](docs/a.md#part), [that](https://example.org) and `[not](this.md)`.",
    "```ts run",
    "console.log(1);",
    "```",
    "```text prints",
    "1",
    "```",
    "```sh",
    "rm -rf [never](run.md)",
    "```",
  ].join("\n");

  test("finds what is marked as runnable, with what it prints", () => {
    assert.deepEqual(examplesIn(page), [{ language: "ts", line: 2, code: "console.log(1);\n", prints: "1\n" }]);
  });

  test("finds a table by its titles", () => {
    const table = ["| Code | Means |", "|---|---|", "| `a_b` | one \\| two |", "", "| Other |", "|---|", "| c |"].join(
      "\n",
    );
    assert.deepEqual(tableIn(table, "Code", "Means"), [["a_b", "one \\| two"]]);
    assert.deepEqual(tableIn(table, "Nothing"), []);
  });

  test("finds links into the repository, not those of the web or in code", () => {
    assert.deepEqual(linksIn(page), ["docs/a.md"]);
  });
});
