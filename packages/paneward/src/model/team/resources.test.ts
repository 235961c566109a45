import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { covers, normalPath, normalResource, overlap } from "./resources.ts";

describe("a normalized path", () => {
  for (const [text, path] of [
    ["src", "src"],
    ["./src//a/./b.ts", "src/a/b.ts"],
    ["src/", "src"],
    [".", "."],
    ["./", "."],
    ["/repo/src/a.ts", "src/a.ts"],
    ["/repo", "."],
    ["/repo2/a", "/repo2/a"],
    ["/etc//passwd", "/etc/passwd"],
    ["a..b", "a..b"],
  ] as const) {
    test(`${text} is ${path}`, () => assert.deepEqual(normalPath(text, "/repo/"), { kind: "path", path }));
  }

  for (const text of ["..", "src/../../etc", "/repo/../etc", "./.."]) {
    test(`${text} leaves the root`, () => assert.equal(normalPath(text, "/repo").kind, "path_traversal_denied"));
  }

  for (const text of ["", "  ", "a\u0000b", "a\nb"]) {
    test(`${JSON.stringify(text)} is not a path`, () => assert.equal(normalPath(text).kind, "invalid_path"));
  }
});

describe("a resource", () => {
  for (const [text, path] of [
    ["src/**", "src"],
    ["src/*", "src"],
    ["**", "."],
    ["*", "."],
    ["docs/a.md", "docs/a.md"],
  ] as const) {
    test(`${text} is ${path}`, () => assert.deepEqual(normalResource(text), { kind: "path", path }));
  }

  for (const text of ["src/*.ts", "a?b", "src/**/x", "{a,b}"]) {
    test(`${text} is a pattern, and refused`, () => assert.equal(normalResource(text).kind, "invalid_path"));
  }
});

describe("what a resource covers", () => {
  for (const [resource, path, expected] of [
    ["src", "src/a.ts", true],
    ["src", "src", true],
    ["src", "srcs/a.ts", false],
    ["src/a.ts", "src", false],
    [".", "anything/at/all", true],
    [".", "/etc/passwd", false],
    ["/etc", "/etc/passwd", true],
    ["/", "/etc", true],
  ] as const) {
    test(`${resource} ${expected ? "covers" : "does not cover"} ${path}`, () =>
      assert.equal(covers(resource, path), expected));
  }

  test("overlapping is symmetric", () => {
    assert.ok(overlap("src", "src/a.ts") && overlap("src/a.ts", "src") && overlap(".", "src"));
    assert.ok(!overlap("src", "docs") && !overlap("src/a", "src/ab"));
  });
});
