import assert from "node:assert/strict";
import { test } from "node:test";
import { programBegins } from "./greeting.ts";
import { findProgram, onHost, thisMachine } from "./host.ts";

test("on this machine a program gets the named environment and nothing else", () => {
  const { args, env } = onHost({ ...thisMachine, env: { A: "1" } }, ["sh", "-c", "x y"]);
  assert.deepEqual(args, ["-c", "x y"]);
  assert.deepEqual(env, { A: "1" });
});

test("behind docker or kubectl the arguments are unchanged, preceded by a bare environment", () => {
  const host = { ...thisMachine, prefix: ["kubectl", "exec", "-i", "pod", "--"], env: { A: "it's" } };
  const { file, args } = onHost(host, ["tmux", "a b;"]);
  assert.equal(file, "kubectl");
  const announced = ["sh", "-c", 'printf "%s\\n" "$0"; exec "$@"', programBegins.trimEnd()];
  assert.deepEqual(args, ["exec", "-i", "pod", "--", "env", "-i", "A=it's", ...announced, "tmux", "a b;"]);
});

test("behind ssh every argument is quoted for the shell that parses them again", () => {
  const host = { ...thisMachine, prefix: ["ssh", "box"], quoting: "posix" as const, env: { A: "it's" } };
  const { args } = onHost(host, ["tmux", "a b;", ""]);
  assert.deepEqual(args.slice(0, 4), ["box", "env", "-i", "'A=it'\\''s'"]);
  assert.deepEqual(args.slice(-4), [programBegins.trimEnd(), "tmux", "'a b;'", "''"]);
});

test("a program is found on the given PATH, or by its path", () => {
  assert.equal(findProgram("sh", "/nowhere:/bin"), "/bin/sh");
  assert.equal(findProgram("/bin/sh", ""), "/bin/sh");
  assert.equal(findProgram("sh", "/nowhere"), undefined);
});
