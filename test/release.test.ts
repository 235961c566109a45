import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allowed, checkLicences } from "../scripts/release/licences.ts";
import { closureOf } from "../scripts/release/lock-closure.ts";
import { tableOf } from "../scripts/release/step.ts";
import { newcomer } from "../scripts/release/try-out.ts";
import { checkChangelog, checkVersions, type VersionFiles } from "../scripts/release/versions.ts";
import { files, text } from "./support/repository.ts";

const json = (path: string) => JSON.parse(text(path));
const lockFile = json("package-lock.json");
const manifests = files("packages/*/package.json", "packages/*/.claude-plugin/plugin.json");
const ours: VersionFiles = {
  manifests: Object.fromEntries(manifests.map((path) => [path, json(path)])),
  lock: lockFile,
  changelog: text("CHANGELOG.md"),
  readme: text("README.md"),
};
const packages = files("packages/*/package.json")
  .filter((path) => !json(path).private)
  .map((path) => path.replace("/package.json", ""));

describe("a release", () => {
  test("has one version in every place, and a changelog entry", () => {
    assert.deepEqual(checkVersions(ours).faults, []);
    const { version } = json("packages/paneward/package.json");
    assert.deepEqual(checkChangelog(ours.changelog, version).faults, []);
  });

  test("gives its users no dependency whose licence is not on the list", () => {
    assert.ok(closureOf(lockFile.packages, packages).length > 20);
    assert.deepEqual(checkLicences(lockFile.packages, packages).faults, []);
  });
});

test("a version that differs in any place is found", () => {
  const manifest = "packages/sdk/package.json";
  const other = (path: string) => ({ ...ours.manifests, [path]: { ...json(path), version: "9.9.9" } });
  assert.deepEqual(checkVersions({ ...ours, manifests: other(manifest) }).faults, [`${manifest} has 9.9.9, not 0.1.0`]);
  const wanting = { ...json("packages/paneward/package.json"), dependencies: { "@paneward/sdk": "0.0.9" } };
  const asks = { ...ours.manifests, "packages/paneward/package.json": wanting };
  assert.match(checkVersions({ ...ours, manifests: asks }).faults.join(), /@paneward\/sdk has 0\.0\.9/);
  assert.match(checkVersions({ ...ours, readme: "paneward 0.0.9 is up" }).faults.join(), /README.* has 0\.0\.9/);
  const lock = { packages: { ...lockFile.packages, "packages/pi": { version: "0.0.9" } } };
  assert.match(checkVersions({ ...ours, lock }).faults.join(), /package-lock\.json, packages\/pi has 0\.0\.9/);
});

test("a changelog that begins with another version, or is silent about this one, is found", () => {
  assert.deepEqual(checkChangelog("# Changelog\n\n## 1.1.0\n\n- It is faster.\n\n## 1.0.0\n", "1.1.0").faults, []);
  assert.match(checkChangelog("## 1.0.0\n\n- It began.\n", "1.1.0").faults.join(), /begins with "1\.0\.0"/);
  assert.match(checkChangelog("## 1.1.0\n\n## 1.0.0\n\n- It began.\n", "1.1.0").faults.join(), /says nothing/);
});

test("licences are those of all that is installed, as Node finds it, without what only developers need", () => {
  const lock = {
    "packages/a": { dependencies: { one: "1", "@paneward/b": "1" }, license: "MIT" },
    "node_modules/@paneward/b": { link: true },
    "node_modules/one": { license: "MIT", dependencies: { two: "1" }, optionalDependencies: { absent: "1" } },
    "node_modules/one/node_modules/two": { license: "GPL-3.0" },
    "node_modules/two": { license: "MIT" },
    "node_modules/developed": { license: "AGPL-3.0" },
  };
  assert.deepEqual(closureOf(lock, ["packages/a"]), ["node_modules/one", "node_modules/one/node_modules/two"]);
  assert.match(
    checkLicences(lock, ["packages/a"]).faults.join(),
    /^two has the licence GPL-3\.0, which is not on the list$/,
  );
  const either = { ...lock, "node_modules/one/node_modules/two": { license: "(GPL-3.0 OR MIT)" } };
  assert.deepEqual(checkLicences(either, ["packages/a"]).faults, []);
  assert.ok(!allowed.some((licence) => licence.includes("GPL")));
  assert.throws(
    () => closureOf({ "packages/a": { dependencies: { gone: "1" } } }, ["packages/a"]),
    /no gone for packages\/a/,
  );
});

test("the table has a line for each step, and every fault of it", () => {
  const table = tableOf([
    { name: "good", faults: [], detail: "5 of 5" },
    { name: "not good", faults: ["one", "two"], detail: "" },
  ]);
  assert.equal(table, "ok     good      5 of 5\nwrong  not good  one\n                 two");
});

test("the one line is tried by a newcomer, who reaches npm as the maintainer does and has nothing else of theirs", () => {
  const env = { PATH: "/bin", HOME: "/home/me", HTTPS_PROXY: "p", NODE_EXTRA_CA_CERTS: "c", npm_config_registry: "r" };
  const own = { PANEWARD_HOME: "/x", XDG_CONFIG_HOME: "/y", NODE_OPTIONS: "-z", TMUX: "t" };
  assert.deepEqual(newcomer("/new", { ...env, ...own }), {
    ...env,
    HOME: "/new",
    npm_config_cache: "/home/me/.npm",
    npm_config_userconfig: "/home/me/.npmrc",
  });
});
