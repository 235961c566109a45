import assert from "node:assert/strict";
import { matchesGlob } from "node:path";
import { test } from "node:test";
import { requireSimpleGlob } from "./simple-glob.ts";

test("globs that people write are taken, and are quick whatever the names are", () => {
  const usual = ["*.log", ".env*", "certs/*", "**/*.pem", "a/**/b/*.{js,ts,tsx}", "[abc]*_?x*", "*a*a*b", "**/**/**/*"];
  for (const pattern of usual) {
    requireSimpleGlob(pattern);
    const began = process.cpuUsage();
    matchesGlob(`${"a".repeat(200)}/`.repeat(20) + "a".repeat(255), pattern);
    const { user } = process.cpuUsage(began);
    assert.ok(user < 1_000_000, `${pattern} took ${user} µs`);
  }
});

test("globs that take exponential time are refused", () => {
  const hostile = [
    "+(a|aa|aaa)b",
    "*(*(a))b",
    "!(x)",
    "*a*a*a*a*b",
    "{a,b}".repeat(6),
    "{a,{b,c}}",
    "{1..1000000}",
    "**/a/**/a/**/a/**/b",
    "x".repeat(501),
  ];
  for (const pattern of hostile) assert.throws(() => requireSimpleGlob(pattern), { code: "bad_input" }, pattern);
});
