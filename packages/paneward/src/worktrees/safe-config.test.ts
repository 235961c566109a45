import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { filtersIn, parseConfig, safeConfig } from "./safe-config.ts";

/** What git itself makes of a configuration. */
function readBack(text: string): Readonly<Record<string, string | undefined>> {
  const out = execFileSync("git", ["config", "--file", "-", "--list", "--null"], { input: text, encoding: "utf8" });
  return Object.fromEntries(parseConfig(out).map(({ key, value }) => [key, value]));
}

const entry = (key: string, value: string | undefined) => ({ key, value });

test("only keys that run nothing pass, and the user's come before the repository's", () => {
  const user = [entry("user.name", "Ada"), entry("core.autocrlf", "input"), entry("core.excludesfile", "~/.ignore")];
  const repository = [
    entry("user.name", "Grace"),
    entry("core.excludesfile", "/dev/zero"),
    entry("core.sshcommand", "evil"),
    entry("core.worktree", "/"),
    entry("core.hookspath", "evil"),
    entry("filter.x.clean", "evil"),
    entry("merge.x.driver", "evil"),
    entry("remote.origin.url", "ext::evil"),
    entry("submodule.lib.url", "../lib"),
    entry("submodule.lib.update", "!evil"),
  ];
  const config = readBack(safeConfig({ user, repository, filters: ["x"] }));
  assert.equal(Object.values(config).includes("evil"), false);
  assert.deepEqual(
    [config["user.name"], config["core.autocrlf"], config["core.excludesfile"], config["submodule.lib.url"]],
    ["Grace", "input", "~/.ignore", undefined],
  );
  assert.deepEqual([config["core.hookspath"], config["core.bare"]], ["/dev/null", "false"]);
});

test("a filter passes only from the user's configuration, and only if it is allowed", () => {
  const user = [entry("filter.lfs.process", "git-lfs"), entry("filter.other.clean", "other")];
  const config = readBack(safeConfig({ user, repository: [entry("filter.lfs.process", "evil")], filters: ["lfs"] }));
  assert.equal(config["filter.lfs.process"], "git-lfs");
  assert.equal("filter.other.clean" in config, false);
  assert.deepEqual(filtersIn(user), ["lfs", "other"]);
});

test("no value and no name breaks out of its place", () => {
  const odd = 'a"b\\c\nd\te#f;g [core]\n\thooksPath = evil';
  const repository = [entry("user.name", odd), entry("core.filemode", undefined)];
  const weird = 'we"ird\\ name';
  const broken = "x\n[core]\n\thookspath=evil\n";
  const user = [entry(`filter.${weird}.clean`, odd), entry(`filter.${broken}.clean`, "y")];
  const config = readBack(safeConfig({ user, repository, filters: [weird, broken] }));
  assert.deepEqual([config["user.name"], config[`filter.${weird}.clean`]], [odd, odd]);
  assert.equal(config["core.hookspath"], "/dev/null");
  assert.equal("core.filemode" in config, true);
});
