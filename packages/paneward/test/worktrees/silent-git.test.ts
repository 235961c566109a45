import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { defaultConfig } from "@paneward/sdk/config";
import { checkInstallation } from "../../src/runtime/operations/check-installation.ts";
import type { World } from "../../src/runtime/world.ts";
import { machine } from "../../src/system/machine.ts";
import { runGit } from "../../src/worktrees/run-git.ts";
import { temporaryFolder } from "./support/repository.ts";

/** A `git` that is this script, in front of the PATH. */
function fakeGit(t: TestContext, script: string) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "git"), 0o755);
  return { folder, env: { PATH: `${folder}:${process.env.PATH}` } };
}

const patience = { askAfterMs: 50, answerMs: 300 };
// What it started keeps its output open, and ends by itself soon after the test.
const hangs = "sleep 3 & wait";

test("a git that does not even say its version is given up soon, and the error says so", async (t) => {
  const { folder, env } = fakeGit(t, hangs);
  const both = [1, 2].map(() => runGit(["status"], { cwd: folder, env, ...patience }));
  for (const one of both) {
    await assert.rejects(one, { code: "unavailable", message: "git does not answer", hint: /git --version/ });
  }
});

test("a git that works for long, and answers beside that, is waited for", async (t) => {
  const { folder, env } = fakeGit(
    t,
    'if [ "$1" = --version ]; then echo asked >>"$0.log"; else sleep 0.4; echo done; fi',
  );
  const { code, out } = await runGit(["status"], { cwd: folder, env, ...patience });
  assert.deepEqual([code, out], [0, "done\n"]);
  assert.match(readFileSync(join(folder, "git.log"), "utf8"), /asked/);
});

test("a git that others killed, as for want of memory, or that could not be started, has answered neither yes nor no", async (t) => {
  const { folder, env } = fakeGit(t, "kill -9 $$");
  const message = /git was killed by SIGKILL/;
  await assert.rejects(runGit(["rev-parse"], { cwd: folder, env, ...patience }), { code: "unavailable", message });
  chmodSync(join(folder, "git"), 0o644);
  await assert.rejects(runGit(["rev-parse"], { cwd: folder, env: { PATH: folder }, ...patience }), { code: "EACCES" });
});

for (const [what, script, detail] of [
  ["does not answer", hangs, /does not answer/],
  ["fails", "echo broken >&2; exit 3", /fails: broken/],
] as const) {
  test(`doctor says that a git ${what}, not that it is missing`, async (t) => {
    const { folder, env } = fakeGit(t, script);
    const checks = await checkInstallation(
      {
        machine: { ...machine, ask: (program, args) => machine.ask(program, args, { env, limitMs: 300 }) },
        places: { home: folder, socket: join(folder, "s"), tmuxSocket: join(folder, "t"), log: "" } as World["places"],
        configFor: async () => ({ config: { ...defaultConfig, agent: "none" }, files: [], warnings: [] }) as never,
      },
      {
        daemon: { name: "daemon", ok: false, detail: "" },
        http: [],
        database: { name: "database", ok: true, detail: "" },
        hosts: [],
        failing: [],
      },
    );
    const git = checks.find(({ name }) => name === "git");
    assert.equal(git?.ok, false);
    assert.match(git?.detail ?? "", detail);
  });
}

test("a program that is not there is missing", async () => {
  assert.deepEqual(await machine.ask("no-such-program-anywhere", []), { kind: "missing" });
});
