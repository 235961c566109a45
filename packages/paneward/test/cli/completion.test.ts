import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { compileCache } from "../support/compile-cache.ts";
import { cliArgv, paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

const run = promisify(execFile);

describe("completion in a real bash", { concurrency: 4 }, () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["paneward comp", ["complete", "completion"]],
    ["paneward daemon st", ["start", "stop", "status"]],
    ["paneward attach ", ["12", "fix-login", "t4", "server"]],
    ["paneward attach f", ["fix-login"]],
    ["paneward merge ", ["12", "fix-login"]],
    ["paneward stop 12 t", ["t4"]],
    ["paneward attach 12 ", []],
    ["paneward wait 12 --for ex", ["exited"]],
    ["paneward token create --scope a", ["approve", "admin"]],
    ["paneward new --agent c", ["claude", "codex"]],
    ["paneward ps --", ["--all", "--watch", "--here", "--json", "--help"]],
    ["paneward completion ", ["bash", "zsh", "fish"]],
  ];
  for (const [line, expected] of cases) {
    test(`"${line}" offers ${expected.join(", ") || "nothing"}`, async (t) => {
      const { env, folder } = await fakeDaemon(t);
      const bin = join(folder, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "paneward"), `#!/bin/sh\nexec ${cliArgv.map((word) => `'${word}'`).join(" ")} "$@"\n`);
      chmodSync(join(bin, "paneward"), 0o755);
      const words = line.split(" ");
      const script = [
        'eval "$(paneward completion bash)"',
        `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}`,
        "_paneward",
        `printf "%s\\n" "\${COMPREPLY[@]}"`,
        "complete -p paneward >&2",
      ].join("\n");
      const { stdout, stderr } = await run("bash", ["--norc", "-c", script], {
        env: { ...env, NODE_COMPILE_CACHE: compileCache, PATH: `${bin}:${env.PATH}` },
      });
      assert.deepEqual(stdout.split("\n").filter(Boolean), expected);
      assert.match(stderr, /complete -F _paneward paneward/);
    });
  }
});

describe("completion", { concurrency: 4 }, () => {
  test("of ids without a daemon starts none and prints nothing", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const { PANEWARD_NO_AUTOSTART: _, ...rest } = env;
    const noDaemon = { ...rest, PANEWARD_SOCKET_PATH: join(folder, "none.sock") };
    const ran = await paneward(["__complete", "--", "attach", ""], { env: noDaemon });
    assert.deepEqual(ran, { code: 0, signal: null, stdout: "", stderr: "" });
  });

  for (const shell of ["zsh", "fish"]) {
    test(`the script for ${shell} calls the hidden command`, async (t) => {
      const { env, folder } = await fakeDaemon(t);
      const { stdout, code } = await paneward(["completion", shell], { env });
      assert.match(stdout, /__complete --/);
      assert.equal(code, 0);
      const found = await run("sh", ["-c", `command -v ${shell}`]).catch(() => undefined);
      if (!found) return t.diagnostic(`${shell} is not installed: its syntax was not checked`);
      const file = join(folder, "script");
      writeFileSync(file, stdout);
      await run(shell, ["-n", file]);
    });
  }
});
