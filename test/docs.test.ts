import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { type Example, examplesIn, linksIn } from "./support/markdown.ts";
import { files, root, text } from "./support/repository.ts";

describe("examples", { concurrency: 2 }, () => {
  const pages = files("README.md", "docs/**/*.md");
  const found = pages.flatMap((page) => examplesIn(text(page)).map((example) => ({ page, ...example })));

  test("there are some", () => assert.ok(found.length > 3));

  for (const { page, ...example } of found) {
    test(`${page}:${example.line} runs`, () => {
      const { status, stdout, stderr } = runExample(example);
      assert.equal(status, 0, stderr);
      if (example.prints !== undefined) assert.equal(stdout, example.prints);
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

  test("finds links into the repository, not those of the web or in code", () => {
    assert.deepEqual(linksIn(page), ["docs/a.md"]);
  });
});

function runExample({ language, code }: Example) {
  const argv = language === "ts" ? ["node", "--input-type=module-typescript", "-"] : ["sh", "-eu"];
  return spawnSync(argv[0] ?? "", argv.slice(1), { cwd: root, input: code, encoding: "utf8", timeout: 60_000 });
}
