import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/folder.ts";
import { isAtLeast, lookAround } from "./surroundings.ts";

test("versions are compared by their numbers", () => {
  for (const [version, needed, wanted] of [
    ["3.3a", "3.2", true],
    ["3.2", "3.2", true],
    ["3.1c", "3.2", false],
    ["2.9", "2.32", false],
    ["10.0", "3.2", true],
    ["next-3.7", "3.2", false],
  ] as const) {
    assert.equal(isAtLeast(version, needed), wanted, version);
  }
});

test("programs are found with their versions, without touching anybody's home", async (t) => {
  const folder = await temporaryFolder(t);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  };
  program(join(bin, "tmux"), "echo tmux 3.1c");
  // It writes settings at its first start.
  program(join(bin, "claude"), 'echo {} > "$HOME/settings.json"; echo "2.1.3 (Claude Code)"');
  mkdirSync(join(folder, "lib/codex/bin"), { recursive: true });
  program(join(folder, "lib/codex/bin/codex.js"), "exit 1");
  writeFileSync(join(folder, "lib/codex/package.json"), '{"version":"0.63.0","bin":{"codex":"bin/codex.js"}}');
  symlinkSync("../lib/codex/bin/codex.js", join(bin, "codex"));
  mkdirSync(join(folder, "versions/1.2.3"), { recursive: true });
  program(join(folder, "versions/1.2.3/gemini"), "exit 1");
  symlinkSync(join(folder, "versions/1.2.3/gemini"), join(bin, "gemini"));
  writeFileSync(join(bin, "opencode"), "not executable");
  // Whoever may write to a folder above a program could make every look wait for ever.
  execFileSync("mkfifo", [join(bin, "package.json")]);
  ftruncateSync(openSync(join(folder, "package.json"), "w"), 2 ** 40);
  const env = { HOME: folder, PATH: bin, SHELL: "/usr/bin/fish" };
  const { tmux, git, agents, ownShell, paneward } = await lookAround(env, { mine: { cmd: [join(bin, "claude")] } });
  assert.deepEqual([tmux.version, tmux.problem], ["3.1c", "too old; install 3.2 or newer"]);
  assert.equal(git.problem, "not found; install git 2.32 or newer");
  const versions = agents.filter(({ path }) => path).map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual(versions.toSorted(), ["claude 2.1.3", "codex 0.63.0", "gemini 1.2.3", "mine 2.1.3"]);
  assert.equal(ownShell, "fish");
  assert.match(paneward.problem ?? "", /not on your PATH/);
  assert.equal(existsSync(join(folder, "settings.json")), false);
});
