import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { claudeHooks } from "../packages/paneward/src/agents/claude/launch.ts";
import { pluginFiles } from "../scripts/plugin-files.ts";
import { files, root, text } from "./support/repository.ts";

interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
}

const folder = "packages/claude-code";
const json = (path: string) => JSON.parse(text(path)) as unknown;

describe("the plugin for Claude Code", () => {
  for (const [path, wanted] of Object.entries(pluginFiles())) {
    test(`${path} is what \`npm run build -w packages/claude-code\` writes`, () => {
      assert.equal(text(`${folder}/${path}`), wanted);
    });
  }

  test("has the hooks that `paneward hooks install claude-code` writes, except for the script's path", () => {
    const { hooks } = json(`${folder}/hooks/hooks.json`) as Hooks;
    const commands = Object.values(hooks).flatMap((entries) => entries.flatMap((entry) => entry.hooks));
    const [tell, ask] = [hooks.Stop, hooks.PermissionRequest].map((entries) => entries?.[0]?.hooks[0]?.command ?? "");
    assert.ok(tell?.includes(" tell claude ") && ask?.includes(" ask claude "));
    assert.deepEqual(hooks, claudeHooks({ reportCommand: tell ?? "", waitCommand: ask ?? "" }));
    for (const { command } of commands) {
      const named = [...command.matchAll(/"\$\{CLAUDE_PLUGIN_ROOT\}\/([^"]+)"/g)].map(([, path = ""]) => path);
      assert.equal(named.length, 2);
      for (const path of named) assert.ok(existsSync(join(root, folder, path)), path);
    }
  });

  test("is packed completely, and the marketplace names it", () => {
    const { files: packed, version } = json(`${folder}/package.json`) as { files: readonly string[]; version: string };
    const own = Object.keys(pluginFiles());
    assert.deepEqual(
      own.filter((path) => !packed.some((name) => path === name || path.startsWith(`${name}/`))),
      [],
    );
    assert.equal((json(`${folder}/.claude-plugin/plugin.json`) as { version: string }).version, version);
    const market = json(".claude-plugin/marketplace.json") as { plugins: readonly { name: string; source: string }[] };
    assert.deepEqual(
      market.plugins.map(({ name, source }) => [name, source]),
      [["paneward", `./${folder}`]],
    );
    assert.ok(files(`${folder}/skills/*/SKILL.md`).length === 1);
  });
});
