import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { compileCache } from "../support/compile-cache.ts";
import { until } from "../support/until.ts";
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
    ["paneward ps --", ["--all", "--watch", "--here", "--json", "--quiet", "--help"]],
    ["paneward completion ", ["bash", "zsh", "fish"]],
  ];
  for (const [line, expected] of cases) {
    test(`"${line}" offers ${expected.join(", ") || "nothing"}`, async (t) => {
      const { env, folder } = await fakeDaemon(t);
      const bin = commandFolder(folder);
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
});

describe("completion in other shells", () => {
  const shared = sharedFakeDaemon();

  test("fish shows what each word is, and completes a program's own words and files behind --", async () => {
    const { env, script } = await shared("fish");
    const offered = async (line: string) => {
      const { stdout } = await run("fish", ["-c", `source ${script}; complete -C '${line}'`], { env, cwd: "/" });
      return stdout.split("\n").filter(Boolean);
    };
    assert.deepEqual(await offered("paneward attach fi"), ["fix-login\t12, Idle"]);
    assert.deepEqual(await offered("paneward token create --scope a"), ["approve", "admin"]);
    assert.deepEqual((await offered("paneward comp")).slice(1), [
      "completion\tcomplete commands, options and ids: the script of a shell, or its installation",
    ]);
    assert.ok((await offered("paneward run -- cat /etc/pass")).includes("/etc/passwd"));
    assert.ok((await offered("paneward run -- git --vers")).some((word) => word.startsWith("--version")));
  });

  test("zsh shows what each word is, with and without compinit before it, and completes files behind --", async (t) => {
    const { env, folder, script } = await shared("zsh");
    for (const [before, name] of [
      ["", "bare"],
      ["autoload -U compinit; compinit -u\n", "ready"],
    ] as const) {
      const home = join(folder, name);
      mkdirSync(home);
      writeFileSync(join(home, ".zshrc"), `PS1="> "\n${before}eval "$(cat ${script})"\n`);
      const tmux = (...args: readonly string[]) =>
        run("tmux", ["-S", join(folder, `${name}.sock`), "-f/dev/null", ...args], { env: { ...env, ZDOTDIR: home } });
      t.after(() => tmux("kill-server"));
      await tmux("new-session", "-d", "-x100", "-y30", "exec zsh -i");
      const shows = (what: string, text: RegExp) =>
        until(what, async () => text.test((await tmux("capture-pane", "-p")).stdout));
      await shows("zsh is ready", /^>/m);
      await tmux("send-keys", "paneward attach fi", "Tab");
      await shows("the name", /paneward attach fix-login/m);
      await tmux("send-keys", "C-u", "paneward daemon st", "Tab", "Tab");
      await shows("what they do", /start +-- .*\n.*status +-- /);
      await tmux("send-keys", "C-c", "C-u", "paneward run -- cat /etc/pass", "Tab");
      await shows("the file", /run -- cat \/etc\/passwd/);
    }
  });
});

/** One daemon for all of them, the command on PATH, and the script of a shell in a file. */
function sharedFakeDaemon() {
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const work of cleanups.reverse()) await work();
  });
  const made = fakeDaemon({ after: (work) => void cleanups.push(work as () => unknown) });
  return async (shell: string) => {
    const { env, folder } = await made;
    const bin = commandFolder(folder);
    const { stdout } = await paneward(["completion", shell], { env });
    const script = join(folder, `script.${shell}`);
    writeFileSync(script, stdout);
    return { folder, script, env: { ...env, NODE_COMPILE_CACHE: compileCache, PATH: `${bin}:${env.PATH}` } };
  };
}

function commandFolder(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "paneward"), `#!/bin/sh\nexec ${cliArgv.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(join(bin, "paneward"), 0o755);
  return bin;
}
