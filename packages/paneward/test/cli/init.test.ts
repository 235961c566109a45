import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { environmentIn } from "../support/daemon.ts";
import { type Cleanup, temporaryFolder } from "../support/folder.ts";
import { panewardInTerminal } from "./support/terminal.ts";
import { typed } from "./support/typed.ts";

const run = promisify(execFile);

const before = {
  ".claude/settings.json": '{\n  "model": "opus" // mine\n}\n',
  ".bashrc": "alias a=b\n# no end: \u00e4",
  ".config/paneward/config.toml": '# mine\nagent = "codex"\n',
};

/** A home with settings of its own, a desktop, and two agents on the PATH. No daemon is started. */
async function home(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const put = (path: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  for (const [path, text] of Object.entries(before)) put(path, text);
  for (const [agent, words] of [
    ["claude", "2.1.3 (Claude Code)"],
    ["codex", "codex-cli 0.63.0"],
  ] as const) {
    put(`bin/${agent}`, `#!/bin/sh\necho "${words}"\n`);
    chmodSync(join(folder, "bin", agent), 0o755);
  }
  const { XDG_CONFIG_HOME: _, ...rest } = environmentIn(folder);
  const desktop = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", DISPLAY: ":0" };
  const env = {
    ...{ ...rest, ...desktop, SHELL: "/bin/bash", PANEWARD_NO_AUTOSTART: "1" },
    PATH: `${join(folder, "bin")}:${rest.PATH}`,
  };
  const init = (...words: readonly string[]) => typed(["init", ...words], { env });
  return {
    folder,
    env,
    init,
    put,
    files: () => filesIn(folder),
    text: (path: string) => readFileSync(join(folder, path), "utf8"),
  };
}

/** Every file and folder apart from our own state and caches. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  const named = paths.map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const);
  const kept = named.filter(([path]) => !/^(state|\.cache)(\/|$)/.test(path.slice(folder.length + 1)));
  return Object.fromEntries(kept.map(([path, isFile]) => [path, isFile ? readFileSync(path, "latin1") : "folder"]));
}

describe("paneward init", { concurrency: 2 }, () => {
  test("without a terminal it shows what it would do, changes nothing, and says so", async (t) => {
    const { init, files } = await home(t);
    const there = files();
    const { code, stdout, stderr } = await init();
    assert.equal(code, 2);
    assert.match(
      stderr,
      /nothing was changed: there is no terminal.*\nhint: `paneward init --yes` does what is offered/,
    );
    assert.match(stdout, /agents {2}claude 2\.1\.3, codex 0\.63\.0/);
    for (const step of ["hooks claude-code", "hooks codex", "completion bash", "notices"])
      assert.match(stdout, new RegExp(`^\\d/4  ${step}: `, "m"));
    const dry = await init("--dry-run");
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /^ {2}\+ \[notify\.channels\.desktop\]$/m);
    assert.match(dry.stdout, /Nothing was changed \(--dry-run\)\.\n$/);
    assert.deepEqual(files(), there);
  });

  test("--yes does all of it, once; --undo gives every byte back", async (t) => {
    const { init, files, text } = await home(t);
    const there = files();
    const made = await init("--yes");
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /4 of 4 done/);
    assert.match(text(".claude/settings.json"), /\|\| : paneward/);
    assert.match(
      text(".config/paneward/config.toml"),
      /^# mine\nagent = "codex"\n\n\[notify\.channels\.desktop\]\nkind = "desktop"\n$/,
    );
    const after = files();
    const again = await init("--yes");
    assert.match(again.stdout, /Everything is in place/);
    assert.deepEqual(files(), after);

    const looked = await init("--undo");
    assert.deepEqual([looked.code, files()], [2, after], "without a terminal, --undo needs --yes");
    assert.equal((await init("--undo", "--yes")).code, 0);
    assert.deepEqual(files(), there);
    assert.match((await init("--undo", "--yes")).stdout, /nothing to take back/);
  });

  test("run again it repairs what is missing or damaged, and --undo still gives every byte back", async (t) => {
    const { init, files, put, text, folder } = await home(t);
    const there = files();
    await init("--yes");
    put(".bashrc", text(".bashrc").replace("# <<< paneward", "echo damaged\n# <<< paneward"));
    rmSync(join(folder, ".codex/hooks.json"));
    const again = await init("--yes", "--json");
    const { steps } = JSON.parse(again.stdout) as { steps: { step: string; state: string; made: boolean }[] };
    const made = steps.filter((one) => one.made).map(({ step, state }) => `${step}: ${state}`);
    assert.deepEqual(made, ["hooks codex: missing", "completion bash: damaged"]);
    await init("--undo", "--yes");
    assert.deepEqual(files(), there);
  });

  test("what was changed since keeps its changes, and what cannot be identified is left with a sentence", async (t) => {
    const { init, put, text } = await home(t);
    await init("--yes");
    put(".claude/settings.json", text(".claude/settings.json").replace("opus", "haiku"));
    put(".bashrc", `${text(".bashrc")}alias c=d\n`);
    put(
      ".config/paneward/config.toml",
      text(".config/paneward/config.toml").replace('kind = "desktop"', 'kind = "bell"'),
    );
    const { code, stdout, stderr } = await init("--undo", "--yes");
    assert.equal(code, 6);
    assert.match(stdout, /Taken back, apart from what is left to you:\n$/);
    assert.match(
      stderr,
      /config\.toml: has changed since; remove \[notify\.channels\.desktop\] and the lines below it by hand/,
    );
    assert.equal(text(".claude/settings.json"), before[".claude/settings.json"].replace("opus", "haiku"));
    assert.equal(text(".bashrc"), `${before[".bashrc"]}\nalias c=d\n`);
    put(".config/paneward/config.toml", before[".config/paneward/config.toml"]);
    assert.equal((await init("--undo", "--yes")).code, 0, "done by hand, it is forgotten");
  });

  test("on a terminal it asks for each step, shows the lines with d, and does only what was agreed to", async (t) => {
    const { env, files, folder } = await home(t);
    const there = files();
    const cli = await panewardInTerminal(t, ["init"], env, { columns: 100, rows: 60 });
    await cli.shows(/1\/4 .*hooks claude-code[\s\S]*Do it\?/);
    await cli.press("Enter");
    await cli.shows(/2\/4 .*hooks codex[\s\S]*Do it\?/);
    await cli.press("n", "Enter");
    await cli.shows(/3\/4 .*completion bash[\s\S]*Do it\?/);
    await cli.press("n", "Enter");
    await cli.shows(/4\/4 .*notices[\s\S]*Do it\?/);
    await cli.press("d", "Enter");
    await cli.shows(/\+ kind = "desktop"[\s\S]*Do it\?/);
    await cli.press("y", "Enter");
    await cli.shows("1 of 4 done");
    assert.equal(await cli.ended(), 0);
    const changed = Object.keys(files()).filter((path) => files()[path] !== there[path]);
    assert.deepEqual(changed, [join(folder, ".config/paneward/config.toml")]);
  });

  test("where tmux or git is missing, not everything is in place", async (t) => {
    const { env } = await home(t);
    const PATH = join(await temporaryFolder(t), "nothing");
    const { code, stdout } = await typed(["init"], { env: { ...env, PATH, SHELL: "", DISPLAY: "" } });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /\nNothing is left to set up here, but: tmux not found; install tmux 3\.2 .*; git not found; .*\.\n$/,
    );
    assert.doesNotMatch(stdout, /Everything is in place/);
  });

  test("a settings file that cannot be read keeps no other step from being offered", async (t) => {
    const { init, put } = await home(t);
    put(".claude/settings.json", "{ not json");
    const { stdout } = await init("--yes");
    assert.match(stdout, /— {2}hooks claude-code {2}~\/\.claude\/settings\.json was not changed: line 1/);
    assert.match(stdout, /3 of 3 done/);
  });
});

describe("paneward completion --install", { concurrency: 2 }, () => {
  for (const [shell, startup, words] of [
    ["bash", ".bashrc", ["-ic", "complete -p paneward"]],
    ["zsh", ".zshrc", ["-ic", "echo $_comps[paneward]"]],
    ["fish", undefined, ["-c", "complete -C 'paneward comp'"]],
  ] as const) {
    test(`a new ${shell} completes; a second time nothing changes; --uninstall gives every byte back`, async (t) => {
      const { env, folder, files } = await home(t);
      writeFileSync(join(folder, "bin/paneward"), "#!/bin/sh\necho completion\n", { mode: 0o755 });
      const there = files();
      const first = await typed(["completion", shell, "--install"], { env });
      assert.equal(first.code, 0, first.stderr);
      assert.equal(first.stdout.includes(`~/${startup}`), startup !== undefined);
      const after = files();
      assert.match((await typed(["completion", shell, "--install"], { env })).stdout, /is in place/);
      assert.deepEqual(files(), after);
      const ran = await run(shell, words, { env, cwd: folder });
      assert.match(ran.stdout, /_paneward|^completion/m);
      const undone = await typed(["completion", shell, "--uninstall"], { env });
      assert.equal(undone.code, 0, undone.stderr);
      // The shells themselves write their own files at a first start.
      const left = files();
      for (const path of Object.keys(there)) assert.equal(left[path], there[path], path);
      assert.ok(!Object.values(left).some((text) => text.includes("paneward completion")));
      assert.match((await typed(["completion", shell, "--uninstall"], { env })).stdout, /is not installed/);
    });
  }

  test("writes nothing where zsh would not read it, and says what to do", async (t) => {
    const { env, folder, files } = await home(t);
    const there = files();
    for (const [ZDOTDIR, what] of [
      ["", "set and empty"],
      ["dots", "the relative path dots"],
    ] as const) {
      const { code, stderr } = await typed(["completion", "zsh", "--install"], { env: { ...env, ZDOTDIR } });
      assert.equal(code, 2);
      assert.ok(stderr.includes(`ZDOTDIR is ${what}, so zsh does not read your .zshrc: unset it`), stderr);
      assert.deepEqual(files(), there);
      // zsh itself.
      writeFileSync(join(folder, ".zshrc"), "read=mine\n");
      assert.equal((await run("zsh", ["-ic", "echo $read"], { env: { ...env, ZDOTDIR }, cwd: "/" })).stdout, "\n");
      rmSync(join(folder, ".zshrc"));
    }
  });

  test("is for the shell of this user, and without a record it still finds its own lines", async (t) => {
    const { env, folder, text } = await home(t);
    await typed(["completion", "--install"], { env });
    assert.match(text(".bashrc"), /paneward completion/);
    rmSync(join(folder, "state"), { recursive: true });
    await typed(["completion", "--uninstall"], { env });
    assert.equal(text(".bashrc"), `${before[".bashrc"]}\n`);
    const { code, stderr } = await typed(["completion"], { env: { ...env, SHELL: "/bin/dash" } });
    assert.deepEqual(
      [code, stderr],
      [2, 'paneward: no completion for the shell "dash"\nhint: use one of bash, zsh, fish\n'],
    );
  });
});
