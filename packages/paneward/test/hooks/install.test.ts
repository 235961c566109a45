import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { hookedAgents } from "../../src/agents/registry.ts";
import { hookCommands } from "../../src/cli/commands/hooks.ts";
import { paneward } from "../cli/support/cli.ts";
import { environmentIn } from "../support/daemon.ts";
import { type Cleanup, temporaryFolder } from "../support/folder.ts";

const files = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json", gemini: ".gemini/settings.json" };
const mine = `{
  "model": "opus", // the big one
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}
    ]
  }
}
`;

async function home(t: Cleanup) {
  const folder = await temporaryFolder(t);
  // No daemon may be needed, and none may be started.
  const env = { ...environmentIn(folder), PANEWARD_NO_AUTOSTART: "1" };
  const hooks = (...words: readonly string[]) => paneward(["hooks", ...words], { env, cwd: folder });
  const put = (path: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  return { folder, env, hooks, put, text: (path: string) => readFileSync(join(folder, path), "utf8") };
}

describe("paneward hooks", { concurrency: 2 }, () => {
  for (const { name } of hookCommands) {
    test(`${name} completes the agents of its table`, async (t) => {
      const { env, folder } = await home(t);
      const { stdout } = await paneward(["__complete", "--", ...name.split(" "), ""], { env, cwd: folder });
      assert.deepEqual(stdout.trim().split("\n"), Object.keys(hookedAgents));
    });
  }

  for (const [agent, path] of Object.entries(files)) {
    test(`${agent}: installing twice changes nothing more, and uninstalling restores the file`, async (t) => {
      const { folder, hooks, put, text } = await home(t);
      put(path, mine, 0o640);
      const first = await hooks("install", agent, "--json");
      assert.equal(first.code, 0, first.stderr);
      const { file, changed, events, backup } = JSON.parse(first.stdout);
      assert.deepEqual([file, changed, backup], [join(folder, path), true, join(folder, `${path}.before-paneward`)]);
      assert.ok(events.includes("SessionStart") && events.length >= 8);
      const installed = text(path);
      assert.equal(
        installed.replaceAll("|| : paneward", "").length,
        installed.length - events.length * "|| : paneward".length,
      );
      assert.equal(text(`${path}.before-paneward`), mine);
      assert.equal(statSync(join(folder, path)).mode & 0o777, 0o640);

      const again = await hooks("install", agent);
      assert.match(again.stdout, /already has hooks/);
      assert.equal(text(path), installed);
      assert.equal(text(`${path}.before-paneward`), mine);

      assert.equal((await hooks("uninstall", agent)).code, 0);
      assert.equal(text(path), mine);
      assert.deepEqual(readdirSync(dirname(join(folder, path))), [path.split("/")[1]]);
      assert.match((await hooks("uninstall", agent)).stdout, /has no hooks of Paneward\n/);
    });
  }

  test("a missing file is created, with the script in a private folder, and removed again", async (t) => {
    const { folder, hooks } = await home(t);
    assert.equal((await hooks("install", "claude-code")).code, 0);
    const settings = JSON.parse(readFileSync(join(folder, ".claude/settings.json"), "utf8"));
    assert.match(
      settings.hooks.PermissionRequest[0].hooks[0].command,
      /\/state\/hooks\/hook\.sh' ask claude \|\| cat >\/dev\/null \|\| : paneward$/,
    );
    assert.equal(statSync(join(folder, "state/hooks")).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, "state/hooks/hook.sh")).mode & 0o777, 0o600);
    assert.equal((await hooks("uninstall", "claude-code")).code, 0);
    assert.deepEqual(readdirSync(join(folder, ".claude")), []);
  });

  test("later changes of the user are kept, and so is the backup", async (t) => {
    const { hooks, put, text } = await home(t);
    const path = files["claude-code"];
    put(path, mine);
    await hooks("install", "claude-code");
    put(path, text(path).replace('"opus"', '"haiku"'));
    const { stderr, code } = await hooks("uninstall", "claude-code");
    assert.deepEqual([code, text(path)], [0, mine.replace('"opus"', '"haiku"')]);
    assert.match(stderr, /before-paneward/);
    assert.equal(text(`${path}.before-paneward`), mine);
    await hooks("install", "claude-code");
    assert.equal(text(`${path}.before-paneward`), mine.replace('"opus"', '"haiku"'));
  });

  test("--settings names another file; a link stays a link", async (t) => {
    const { folder, hooks, put, text } = await home(t);
    put("dotfiles/claude.json", mine);
    symlinkSync("dotfiles/claude.json", join(folder, "linked.json"));
    assert.equal((await hooks("install", "claude-code", "--settings", "linked.json")).code, 0);
    assert.ok(lstatSync(join(folder, "linked.json")).isSymbolicLink());
    assert.match(text("dotfiles/claude.json"), /\|\| : paneward/);
    assert.equal(existsSync(join(folder, ".claude")), false);
    assert.equal((await hooks("uninstall", "claude-code", "--settings", "linked.json")).code, 0);
    assert.equal(text("dotfiles/claude.json"), mine);
  });

  test("an invalid file is refused and not changed", async (t) => {
    const { folder, hooks, put, text } = await home(t);
    for (const broken of ['{\n  "a": 1,\n}\n', "[]", '{"hooks": 1}']) {
      put(".gemini/settings.json", broken);
      for (const word of ["install", "uninstall"]) {
        const { code, stderr } = await hooks(word, "gemini");
        assert.equal(code, 2);
        assert.match(stderr, /settings\.json was not changed: (line 3, column 1: nothing follows|.* is not an object)/);
      }
      assert.equal(text(".gemini/settings.json"), broken);
    }
    put(".gemini/settings.json", "");
    writeFileSync(join(folder, ".gemini/settings.json"), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    assert.equal((await hooks("install", "gemini")).code, 2);
    assert.deepEqual(readdirSync(join(folder, ".gemini")), ["settings.json"]);
    rmSync(join(folder, ".gemini"), { recursive: true });
  });

  test("an agent without hooks is refused with the names of those that have some", async (t) => {
    const { hooks } = await home(t);
    const { code, stderr } = await hooks("install", "toString");
    assert.equal(code, 2);
    assert.match(stderr, /claude-code, codex, gemini/);
  });
});
