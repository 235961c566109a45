// Makes all files of a release in node_modules/.cache/release and checks them, without publishing anything. Ends with a
// table, and with code 1 if anything is wrong. Usage: npm run release:dry
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildArchive, runtimePackages, sha256 } from "./release/archive.ts";
import { checkLicences } from "./release/licences.ts";
import { closureOf, type Lock } from "./release/lock-closure.ts";
import { mustRun } from "./release/run.ts";
import { writeSbom } from "./release/sbom.ts";
import { type Step, tableOf } from "./release/step.ts";
import { checkTypes, checkWithPublint } from "./release/tarballs.ts";
import { tryOut } from "./release/try-out.ts";
import { checkChangelog, checkVersions, type VersionFiles } from "./release/versions.ts";

const root = join(import.meta.dirname, "..");
const cache = join(root, "node_modules/.cache/release");
const release = join(cache, "files");
const work = join(cache, "work");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const lockFile: VersionFiles["lock"] = JSON.parse(read("package-lock.json"));
const lock = lockFile.packages as Lock;
const { version } = JSON.parse(read("packages/paneward/package.json")) as { readonly version: string };
const published = ["sdk", "tmux", "paneward", "pi", "claude-code"];

const steps: Step[] = [];
const say = (text: string) => process.stderr.write(`${text} …\n`);

rmSync(release, { recursive: true, force: true });
for (const folder of [release, work]) mkdirSync(folder, { recursive: true });

const manifests = globSync(["packages/*/package.json", "packages/*/.claude-plugin/plugin.json"], { cwd: root });
steps.push(
  checkVersions({
    manifests: Object.fromEntries(manifests.map((path) => [path, JSON.parse(read(path))])),
    lock: lockFile,
    changelog: read("CHANGELOG.md"),
    readme: read("README.md"),
  }),
  checkChangelog(read("CHANGELOG.md"), version),
  checkLicences(lock, [...runtimePackages, "packages/pi", "packages/claude-code"]),
);

say("building and packing");
const packages = published.flatMap((name) => ["-w", `packages/${name}`]);
mustRun(["npm", "pack", "--silent", "--pack-destination", release, ...packages], { cwd: root });
const tarball = (name: string) => join(release, `${name === "paneward" ? name : `paneward-${name}`}-${version}.tgz`);
const tools = { bin: join(root, "node_modules/.release/node_modules/.bin"), cwd: root };
steps.push(checkWithPublint(published.map(tarball), tools), checkTypes(["sdk", "tmux"].map(tarball), tools));

say("making the archive for people without Node");
steps.push(buildArchive({ root, release, work, version, lock }));
const expected = closureOf(lock, runtimePackages).length + runtimePackages.length;
steps.push(
  writeSbom(join(work, `paneward-${version}`, "lib"), join(release, `paneward-${version}.cdx.json`), expected),
);

const files = globSync("*", { cwd: release }).sort();
writeFileSync(join(release, "SHA256SUMS"), files.map((name) => `${sha256(join(release, name))}  ${name}\n`).join(""));

say("installing as a new user would");
const ours = ["paneward", "sdk", "tmux"].map(tarball);
steps.push(
  tryOut("npm install -g", version, (home, env) => {
    mustRun(["npm", "install", "--global", "--silent", "--prefix", home, ...ours], { cwd: home, env });
    return join(home, "bin/paneward");
  }),
  tryOut("install.sh", version, (home, env) => {
    mustRun(["sh", join(release, "install.sh")], { cwd: home, env });
    return join(home, ".local/bin/paneward");
  }),
);

process.stdout.write(`${tableOf(steps)}\nfiles  ${release}\n`);
process.exitCode = steps.some(({ faults }) => faults.length > 0) ? 1 : 0;
