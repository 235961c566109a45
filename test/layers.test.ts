import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importsOf, type Layer, layerFaults, readLayers, type Source } from "./support/layers.ts";
import { files, text } from "./support/repository.ts";

const layers = readLayers(text("docs/layers.md"));

describe("the source", () => {
  const sources = files("packages/*/src/**/*.ts", "packages/*/src/**/*.tsx").map((path) => ({
    path,
    text: text(path),
  }));

  test("follows the layer table and has no cycles", () => {
    assert.ok(layers.length > 10, "docs/layers.md holds the layer table");
    assert.ok(sources.length > 10, "the source was found");
    assert.deepEqual(layerFaults(layers, sources), []);
  });
});

describe("the layer check", () => {
  const faults = (...sources: readonly Source[]) => layerFaults(table, sources);
  const table: readonly Layer[] = readLayers(
    [
      "| Folder | May import | Pure |",
      "|---|---|---|",
      "| `packages/a/src/core` | nothing | yes |",
      "| `packages/a/src/*.ts` | `core` | no |",
      '| `packages/b/src` | `@paneward/a`, `core/ports.ts`, `import("daemon.ts")` | no |',
      "| `packages/b/src/part` | `*.ts` | no |",
      '| `packages/b/src/door` | `import("daemon.ts")` | no |',
    ].join("\n"),
  );
  const file = (path: string, ...lines: readonly string[]): Source => ({ path, text: lines.join("\n") });

  test("finds every form of import, also over several lines", () => {
    const seen = importsOf(
      [
        'import { a,\n  b } from "./one.ts";',
        'import type { C } from "./two.ts";',
        'export { d } from "./three.ts";',
        'import "./four.ts";',
        'const e = await import("./five.ts");',
        'type F = import("./six.ts").F;',
        'export const g = "import";',
      ].join("\n"),
    );
    assert.deepEqual(
      seen.map(({ specifier }) => specifier),
      ["./one.ts", "./two.ts", "./three.ts", "./four.ts", "./five.ts", "./six.ts"],
    );
  });

  test("allows what a row allows", () => {
    const good = faults(
      file("packages/a/src/core/x.ts", 'import { y } from "./y.ts";', 'import { z } from "zod";'),
      file("packages/a/src/core/x.test.ts", 'import { test } from "node:test";', 'import "../../test/support/z.ts";'),
      file("packages/a/src/top.ts", 'import { x } from "./core/x.ts";', 'import "node:fs";'),
      file("packages/b/src/b.ts", 'import { a } from "@paneward/a";'),
      file("packages/b/src/part/of.ts", 'import "../b.ts";'),
      file("packages/b/src/door/up.ts", 'await import("../daemon.ts");'),
    );
    assert.deepEqual(good, []);
  });

  const refused: readonly (readonly [string, Source, RegExp])[] = [
    ["Node in a pure folder", file("packages/a/src/core/x.ts", 'import "node:fs";'), /may not import Node/],
    [
      "a package's part for Node",
      file("packages/a/src/core/x.ts", 'import "@paneward/a/node";'),
      /may not import Node/,
    ],
    ["a lower layer that looks upwards", file("packages/a/src/core/x.ts", 'import "../top.ts";'), /may not import top/],
    ["a package that is not in the row", file("packages/a/src/top.ts", 'import "@paneward/b";'), /@paneward\/b/],
    ["a path into another package", file("packages/b/src/x.ts", 'import "../../a/src/top.ts";'), /by package name/],
    ["a fixed import of a dynamic one", file("packages/b/src/door/x.ts", 'import "../daemon.ts";'), /may not import/],
    ["a type import like any other", file("packages/a/src/core/x.ts", 'import type { T } from "../t.ts";'), /may not/],
    ["a folder without a row", file("packages/a/src/new/x.ts"), /does not have/],
    ["a package without a row", file("packages/c/src/x.ts"), /does not have/],
  ];
  for (const [what, source, fault] of refused) {
    test(`refuses ${what}`, () => assert.match(faults(source).join("\n"), fault));
  }

  test("refuses a cycle of files", () => {
    const ring = faults(
      file("packages/a/src/core/x.ts", 'import "./y.ts";'),
      file("packages/a/src/core/y.ts", 'import "./z.ts";'),
      file("packages/a/src/core/z.ts", 'import "./x.ts";'),
    );
    assert.equal(ring.length, 1);
    assert.match(ring[0] ?? "", /x\.ts -> .*y\.ts -> .*z\.ts -> .*x\.ts/);
  });
});
