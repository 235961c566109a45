import assert from "node:assert/strict";
import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sha256 } from "../scripts/release/archive.ts";
import { text } from "./support/repository.ts";

/** A home without anything, and releases whose `paneward` only prints its version. */
class Stranger {
  readonly folder = mkdtempSync(join(tmpdir(), "paneward-install-"));
  readonly home = join(this.folder, "home");
  readonly link = join(this.home, ".local/bin/paneward");
  readonly share = join(this.home, ".local/share/paneward");
  path = "/usr/bin:/bin";

  constructor(t: TestContext) {
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.home);
  }

  release(version: string, program = `#!/bin/sh\necho ${version}\n`): string {
    const release = join(this.folder, `release-${version}`);
    const top = join(release, `paneward-${version}`);
    mkdirSync(join(top, "bin"), { recursive: true });
    mkdirSync(join(top, "lib/node_modules/paneward/dist/man"), { recursive: true });
    writeFileSync(join(top, "lib/node_modules/paneward/dist/man/paneward.1"), "");
    writeFileSync(join(top, "bin/paneward"), program);
    chmodSync(join(top, "bin/paneward"), 0o755);
    writeFileSync(join(top, "install.sh"), text("scripts/install.sh"));
    const archive = `paneward-${version}-linux-x64.tar.gz`;
    execFileSync("tar", ["-czf", join(release, archive), "-C", release, `paneward-${version}`]);
    const script = text("scripts/install.sh")
      .replace("@VERSION@", version)
      .replace("@ARCHIVE@", archive)
      .replace("@SHA256@", sha256(join(release, archive)));
    writeFileSync(join(release, "install.sh"), script);
    return release;
  }

  /** Types `sh SCRIPT …`, and what it wrote into the home afterwards. */
  sh(
    script: string,
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    return new Promise((resolve) => {
      const env = { PATH: this.path, HOME: this.home };
      const child: ChildProcess = execFile("/bin/sh", [script, ...args], { env, cwd: this.folder }, (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });
  }

  installed(): string {
    return execFileSync(this.link, ["--version"], { encoding: "utf8" }).trim();
  }
}

test("installs without Node on the PATH, from its own folder, again, and in a newer version; the one before stays", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const first = await stranger.sh(join(release, "install.sh"));
  assert.deepEqual([first.code, first.err], [0, ""]);
  assert.match(first.out, /^paneward 1\.0\.0 is installed: .*\nput it on your PATH, .*export PATH=/);
  assert.equal(stranger.installed(), "1.0.0");
  assert.match(readlinkSync(join(stranger.home, ".local/share/man/man1/paneward.1")), /1\.0\.0\/lib/);
  rmSync(join(stranger.share, "1.0.0/bin"), { recursive: true });
  assert.equal((await stranger.sh(join(release, "install.sh"))).code, 0);
  assert.equal(stranger.installed(), "1.0.0", "running it again repairs");
  for (const version of ["1.1.0", "1.2.0"]) {
    const { out } = await stranger.sh(join(stranger.release(version), "install.sh"));
    assert.match(out, /a daemon that runs is still 1\.\d\.0: {2}paneward daemon restart/);
  }
  assert.equal(stranger.installed(), "1.2.0");
  assert.deepEqual(readdirSync(stranger.share).sort(), ["1.1.0", "1.2.0"]);
});

test("what a kill left is removed, and a manual page of others stays", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const manual = join(stranger.home, ".local/share/man/man1/paneward.1");
  mkdirSync(join(stranger.share, ".unfinished-aBcDeF/new"), { recursive: true });
  mkdirSync(join(manual, ".."), { recursive: true });
  writeFileSync(manual, "mine");
  assert.equal((await stranger.sh(join(release, "install.sh"))).code, 0);
  assert.deepEqual(readdirSync(stranger.share), ["1.0.0"]);
  await stranger.sh(join(release, "install.sh"), "--uninstall");
  assert.equal(readFileSync(manual, "utf8"), "mine");
});

test("an archive that was cut, on the way or by a full disk, is refused in one sentence", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const archive = join(release, "paneward-1.0.0-linux-x64.tar.gz");
  writeFileSync(archive, readFileSync(archive).subarray(0, 100));
  const cut = await stranger.sh(join(release, "install.sh"));
  assert.deepEqual([cut.code, cut.err.split("\n").length], [1, 3], cut.err);
  stranger.path = `${join(stranger.folder, "bin")}:${stranger.path}`;
  mkdirSync(join(stranger.folder, "bin"));
  writeFileSync(join(stranger.folder, "bin/cp"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const full = await stranger.sh(join(release, "install.sh"));
  assert.match(
    full.err,
    /^install\.sh: .* cannot be copied; nothing was installed\nhint: is there room on the disk\?\n$/,
  );
  assert.deepEqual([full.code, readdirSync(stranger.share)], [1, []]);
});

test("an archive with another checksum is refused before anything of it is unpacked or run", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const other = stranger.release("2.0.0", `#!/bin/sh\ntouch ${stranger.folder}/was-run\necho 1.0.0\n`);
  cpSync(join(other, "paneward-2.0.0-linux-x64.tar.gz"), join(release, "paneward-1.0.0-linux-x64.tar.gz"));
  const { code, err } = await stranger.sh(join(release, "install.sh"));
  assert.match(
    err,
    /^install\.sh: paneward-1\.0\.0.* is not the one of this release: .*; nothing was installed\nhint: .*\n$/,
  );
  assert.equal(code, 1);
  assert.equal(existsSync(join(stranger.folder, "was-run")), false);
  assert.deepEqual([existsSync(stranger.link), readdirSync(stranger.share)], [false, []]);
});

test("a script that was cut while it was fetched does nothing", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const whole = readFileSync(join(release, "install.sh"), "utf8");
  for (const share of [0.3, 0.6, 0.95]) {
    writeFileSync(join(release, "cut.sh"), whole.slice(0, whole.length * share));
    await stranger.sh(join(release, "cut.sh"), "--from", release);
    assert.deepEqual(readdirSync(stranger.home), [], `${share}`);
  }
});

test("fetches from an address, and says so when it cannot", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const server = createServer((request, response) => {
    const path = join(release, request.url ?? "");
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cpSync(join(release, "install.sh"), join(stranger.folder, "install.sh"));
  const missing = await stranger.sh("install.sh");
  assert.match(missing.err, /^install\.sh: there is no paneward-1\.0\.0-linux-x64\.tar\.gz in \.\nhint: .*--from/);
  const { code, err } = await stranger.sh("install.sh", "--from", address);
  assert.deepEqual([code, err, stranger.installed()], [0, "", "1.0.0"]);
  const wrong = await stranger.sh("install.sh", "--from", `${address}/nowhere`);
  assert.match(wrong.err, /install\.sh: http:.* cannot be fetched\nhint: /);
  assert.equal(wrong.code, 4);
  server.close();
});

test("each obstacle is one sentence, and nothing is changed", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  const script = join(release, "install.sh");
  mkdirSync(join(stranger.home, ".local/bin"), { recursive: true });
  writeFileSync(stranger.link, "mine");
  assert.match((await stranger.sh(script)).err, /paneward exists and was not made by this script\nhint: /);
  assert.equal(readFileSync(stranger.link, "utf8"), "mine");
  assert.match((await stranger.sh(script, "--frm", "x")).err, /unknown option --frm\nhint: /);
  writeFileSync(join(stranger.folder, "file"), "");
  const unwritable = await stranger.sh(script, "--prefix", join(stranger.folder, "file"));
  assert.match(unwritable.err, /^install\.sh: the folder .* cannot be made\nhint: [^\n]*\n$/);
  assert.match((await stranger.sh(join(release, "paneward-1.0.0/install.sh"))).err, /belongs to no release\nhint: /);
  const foreign = stranger.release("3.0.0", "#!/nowhere/ld-musl\n");
  const elsewhere = await stranger.sh(join(foreign, "install.sh"), "--prefix", join(stranger.folder, "other"));
  assert.match(elsewhere.err, /the Node of this archive does not run here: .*\nhint: /s);
  assert.equal(existsSync(join(stranger.folder, "other/bin/paneward")), false);
  stranger.path = join(stranger.folder, "few");
  mkdirSync(stranger.path);
  for (const name of ["uname", "dirname", "readlink", "mkdir", "pwd"])
    if (existsSync(`/usr/bin/${name}`)) symlinkSync(`/usr/bin/${name}`, join(stranger.path, name));
  assert.match((await stranger.sh(script)).err, /^install\.sh: tar is missing\nhint: /);
});

test("what others keep in a folder of the same name stays, in an update and behind a removal", async (t) => {
  const stranger = new Stranger(t);
  const others = join(stranger.home, "others");
  for (const folder of [others, join(stranger.share, "notes"), join(stranger.share, "9.9.9")]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "mine"), "mine");
  }
  symlinkSync(others, join(stranger.share, "8.8.8"));
  mkdirSync(join(others, "lib/node_modules/paneward"), { recursive: true });
  for (const version of ["1.0.0", "1.1.0", "1.2.0"])
    assert.equal((await stranger.sh(join(stranger.release(version), "install.sh"))).code, 0);
  assert.deepEqual(readdirSync(stranger.share).sort(), ["1.1.0", "1.2.0", "8.8.8", "9.9.9", "notes"]);
  const { code, out } = await stranger.sh(join(stranger.share, "1.2.0/install.sh"), "--uninstall");
  assert.equal(code, 0);
  assert.match(out, /^kept, as it holds what this script did not make: /);
  assert.deepEqual(readdirSync(stranger.share).sort(), ["8.8.8", "9.9.9", "notes"]);
  assert.equal(readFileSync(join(others, "mine"), "utf8"), "mine");
});

test("--uninstall takes away what it made, and leaves what belongs to others", async (t) => {
  const stranger = new Stranger(t);
  const release = stranger.release("1.0.0");
  await stranger.sh(join(release, "install.sh"));
  writeFileSync(join(stranger.home, ".local/bin/other"), "mine");
  const { code, out } = await stranger.sh(join(stranger.share, "1.0.0/install.sh"), "--uninstall");
  assert.equal(code, 0);
  assert.match(out, /^paneward is removed\. Terminals keep running, .*are kept/);
  assert.deepEqual(readdirSync(join(stranger.home, ".local/bin")), ["other"]);
  assert.deepEqual(
    [existsSync(stranger.share), lstatSync(join(stranger.home, ".local/share/man/man1")).isDirectory()],
    [false, true],
  );
  const again = await stranger.sh(join(release, "install.sh"), "--uninstall");
  assert.match(again.err, /nothing is installed in .*\nhint: /);
  assert.equal(again.code, 3);
});
