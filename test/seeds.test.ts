import assert from "node:assert/strict";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { pureTestFiles, suiteFiles } from "../scripts/suite/files.ts";
import { linksIn } from "./support/markdown.ts";
import { files, root, text } from "./support/repository.ts";
import { hasTest, seedFaults, seedRowsIn, withImports } from "./support/seed-rows.ts";

const pages = files("docs/seeds/*.md");
const sources = files("test/**/*.ts", "packages/*/test/**/*.ts", "packages/*/src/**/*.test.ts", "scripts/**/*.ts");
const suite = withImports(
  [...suiteFiles(root), ...pureTestFiles(root)],
  sources.map((path) => ({ path, text: text(path) })),
);

describe("the tables of the seed documents", () => {
  test("each is a page that docs/seeds.md lists", () => {
    const listed = linksIn(text("docs/seeds.md")).filter(({ target }) => target.startsWith("seeds/"));
    assert.ok(pages.length > 0);
    assert.deepEqual(
      listed.map(({ target }) => basename(target)),
      pages.map((page) => basename(page)),
    );
  });

  for (const page of pages) {
    test(`${page} names tests that exist, or says why there is none`, () => {
      const rows = seedRowsIn(text(page));
      assert.ok(rows.length >= 10, `${rows.length} rows`);
      assert.deepEqual(seedFaults(page, rows, suite), []);
    });
  }
});

describe("reading such a table", () => {
  const page = [
    "| Row | The document asks | Here | Held by |",
    "|---|---|---|---|",
    "| 1 | a | b | [adds a \\| b](../a.test.ts), [a group](../a.test.ts) |",
    "| 2 | a | Differs: because | |",
    "| 3 | a | b | |",
    "| 3 | a | | |",
    "| 4 | a | b | [is skipped](../a.test.ts) |",
    "| 5 | a | b | [adds](../b.ts) |",
    "",
    "| Row | none of these |",
  ].join("\n");
  const source = [
    'test("adds a | b", () => {});',
    `for (const kind of ["group"]) describe(\`a \${kind}\`, () => {});`,
    'test.skip("is skipped", () => {});',
  ].join("\n");

  test("reports each row without a test or a reason, and each test that the suite does not run", () => {
    const faults = seedFaults("docs/x.md", seedRowsIn(page), new Map([["a.test.ts", source]]));
    assert.deepEqual(faults, [
      "docs/x.md:6, row 3: another row has this name",
      "docs/x.md:5, row 3: no test holds it, and it does not begin with `Differs: ` or `Left out: ` and a reason",
      "docs/x.md:6, row 3: a cell is empty",
      'docs/x.md:7, row 4: a.test.ts has no test "is skipped"',
      "docs/x.md:8, row 5: the suite does not run b.ts",
    ]);
  });

  test("finds tests by plain names, and by names that are made of words of the source", () => {
    const made = `test(\`\${door}: \${one.x} and back\`, () => {});`;
    assert.ok(hasTest('await t.test(\n  "says \\"no\\"",', 'says "no"'));
    assert.ok(hasTest(`const doors = ["http"], to = "there"; ${made}`, "http: there and back"));
    assert.ok(!hasTest(`const doors = ["http"]; ${made}`, "http: there and back"));
    assert.ok(!hasTest("// there and back", "there and back"));
  });

  test("counts a file that a file of the suite imports, and reads a file with what it imports", () => {
    const found = withImports(
      ["a/a.test.ts"],
      [
        { path: "a/a.test.ts", text: 'import { b } from "../b/b.ts";' },
        { path: "b/b.ts", text: 'import "node:fs";' },
        { path: "b/c.ts", text: "" },
      ],
    );
    assert.deepEqual(
      [...found],
      [
        ["a/a.test.ts", 'import { b } from "../b/b.ts";\nimport "node:fs";'],
        ["b/b.ts", 'import "node:fs";'],
      ],
    );
  });
});
