import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "./support/repository.ts";

/** Runs test files with this content as the whole suite is run. */
function runSuite(t: TestContext, contents: Readonly<Record<string, string>>) {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "suite-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(contents).map(([name, body]) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(
      path,
      `import test from "node:test";\nimport { existsSync, writeFileSync } from "node:fs";\n${body}\n`,
    );
    return relative(root, path);
  });
  // The runner of this test must not be taken for the runner of those.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ["scripts/test.ts", ...files], { cwd: root, env, encoding: "utf8" });
  return { folder, files, status: ran.status, printed: ran.stdout, lines: ran.stdout.trimEnd().split("\n") };
}

const passing = 'test("passes", () => {}); test.skip("is skipped", () => {});';
const failing = 'test("never passes", () => { throw new Error("as always"); });';
const passesTheSecondTime = (mark: string) =>
  `test("passes", () => {}); test("fails once", () => {
    if (existsSync(${mark})) return;
    writeFileSync(${mark}, "");
    throw new Error("only this time");
  });`;

test("a file that fails, and passes alone, is named as flaky with both outputs, and the run passes", (t) => {
  const mark = 'import.meta.filename + ".ran"';
  const { files, status, printed, lines } = runSuite(t, { flaky: passesTheSecondTime(mark), good: passing });
  assert.equal(status, 0, printed);
  assert.match(printed, /only this time/);
  const [heading, name, failedAt = "", passedAt = "", closing] = lines.slice(-5);
  assert.equal(heading, "flaky: 1 file failed at first and passed alone");
  assert.equal(name, `  ${files[0]}`);
  assert.equal(closing, "3 passed, 0 failed, 1 skipped");
  const kept = (line: string) => line.slice(line.indexOf("/"));
  t.after(() => rmSync(join(kept(failedAt), ".."), { recursive: true }));
  assert.match(readFileSync(kept(failedAt), "utf8"), /only this time/);
  assert.match(readFileSync(kept(passedAt), "utf8"), /✔ fails once/);
});

test("a file that fails twice fails the run", (t) => {
  const { status, printed, lines } = runSuite(t, { bad: failing, good: passing });
  assert.equal(status, 1);
  assert.equal(printed.split("as always").length > 2, true, "both failures are printed");
  assert.equal(lines.at(-1), "1 passed, 1 failed, 1 skipped");
  assert.doesNotMatch(printed, /^flaky/m);
});

test("a run whose tests leave a process behind fails and names it", (t) => {
  const leaves = `test("leaves a process", async () => {
    const { spawn } = await import("node:child_process");
    spawn("sleep", ["3600.5"], { detached: true, stdio: "ignore" }).unref();
  });`;
  const { status, printed, lines } = runSuite(t, { leaves });
  const [, pid] = /tests left behind:\n {2}(\d+) sleep 3600\.5/.exec(printed) ?? [];
  assert.notEqual(pid, undefined, printed);
  process.kill(Number(pid));
  assert.equal(status, 1);
  assert.equal(lines.at(-1), "1 passed, 0 failed, 0 skipped");
});

test("a file that cannot be loaded fails the run", (t) => {
  const { status, printed, lines } = runSuite(t, { broken: 'throw new Error("cannot load");' });
  assert.equal(status, 1);
  assert.match(printed, /cannot load/);
  assert.equal(lines.at(-1), "0 passed, 1 failed, 0 skipped");
});
