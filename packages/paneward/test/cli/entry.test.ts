import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { transformSync } from "esbuild";

const entry = resolve(import.meta.dirname, "../../bin/paneward.cjs");

test("the entry file has only what Node 6 can read, and loads no other file before it has looked at the version", () => {
  const code = readFileSync(entry, "utf8");
  const compiled = (target: string) => transformSync(code, { target, loader: "js" }).code;
  assert.equal(compiled("es2015"), compiled("esnext"));
  assert.doesNotMatch(code, /import\(|require\("node:/);
  const loaded = [...code.matchAll(/require\("([^"]*)"\)/g)].map(([, path = ""]) => path);
  assert.deepEqual(loaded, ["../package.json", "./start.cjs"]);
});

test("a Node that is too old gets one sentence with what to do, and exit code 4", () => {
  for (const running of ["6.17.1", "20.20.2", "22.12.0"]) {
    const { status, stdout, stderr } = startedBy(running);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      new RegExp(`^paneward: this is Node ${running}, and Paneward needs 22\\.13\\.0 or newer\nhint: install .*\n$`),
    );
    assert.equal(status, 4);
  }
});

test("a Node that is new enough starts the command line", () => {
  for (const running of ["22.13.0", "22.100.0", "30.1.2"]) {
    const { stderr } = startedBy(running);
    assert.doesNotMatch(stderr, /needs/, running);
    assert.match(stderr, /start\.cjs was loaded/, running);
  }
});

/** Runs the entry in a Node that calls itself by this version, and reports whether it went on. */
function startedBy(version: string) {
  const start = JSON.stringify(join(dirname(entry), "start.cjs"));
  const program = `
    Object.defineProperty(process, "versions", { value: { node: "${version}" } });
    require.cache[${start}] = { loaded: true, get exports() { console.error("start.cjs was loaded") } };
    require(${JSON.stringify(entry)});`;
  return spawnSync(process.execPath, ["--input-type=commonjs", "-e", program], { encoding: "utf8" });
}
