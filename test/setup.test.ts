import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "./support/repository.ts";

/** A copy of what the set-up reads, and a PATH of our making: a few real programs and some that only pretend. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), "paneward-setup-"));
  readonly #programs = join(this.folder, "bin");

  constructor(t: TestContext, fakes: Readonly<Record<string, string>>) {
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.#programs);
    for (const name of ["sh", "dirname", "cat", "cksum", "mkdir", "touch"]) {
      const real = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
      if (real) symlinkSync(real, join(this.#programs, name));
    }
    for (const [name, body] of Object.entries(fakes)) this.fake(name, body);
    for (const path of ["scripts", "package.json", "package-lock.json"]) {
      cpSync(join(root, path), join(this.folder, path), { recursive: true });
    }
    for (const name of ["tmux"]) {
      mkdirSync(join(this.folder, "packages", name), { recursive: true });
      cpSync(join(root, "packages", name, "package.json"), join(this.folder, "packages", name, "package.json"));
    }
  }

  fake(name: string, body: string): void {
    const path = join(this.#programs, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  }

  setUp(what: string): { readonly code: number | null; readonly said: string } {
    const { status, stdout, stderr } = spawnSync("/bin/sh", [join(this.folder, "scripts/setup.sh"), what], {
      env: { PATH: this.#programs, SETUP_SYSTEM_PATH: "" },
      encoding: "utf8",
    });
    return { code: status, said: `${stdout}${stderr}` };
  }
}

const aUser = "echo 1000";
const theAdministrator = "echo 0";
const npmThatInstalls =
  'echo "npm $1"; mkdir -p node_modules/.bin; touch node_modules/.bin/node; chmod +x node_modules/.bin/node';

test("without root, a missing program is one sentence with what to install, and exit code 4", (t) => {
  const machine = new Machine(t, { id: aUser, "apt-get": "exit 9", ps: "", git: "" });
  const { code, said } = machine.setUp("start");
  assert.equal(code, 4);
  assert.match(said, /^Paneward needs .*: tmux\.?\n$/);
});

const npmWithoutLibrary =
  'mkdir -p node_modules/.bin; printf "#!/bin/sh\\n[ -e library ]\\n" >node_modules/.bin/node; /bin/chmod +x node_modules/.bin/node';

test("the library that the clone's own Node needs is installed, or one sentence says which", (t) => {
  const there = { tmux: "", ps: "", git: "", npm: npmWithoutLibrary };
  const machine = new Machine(t, { ...there, id: theAdministrator, "apt-get": 'echo "apt-get $*"; touch library' });
  assert.match(machine.setUp("start").said, /apt-get install -y .* libatomic1\n/);
  assert.doesNotMatch(machine.setUp("start").said, /libatomic/);
  const theirs = new Machine(t, { ...there, id: aUser });
  const { code, said } = theirs.setUp("start");
  assert.equal(code, 4);
  assert.match(said, /does not run here yet; please install the library libatomic .*\n$/);
  const other = new Machine(t, { ...there, id: theAdministrator, "apt-get": "" });
  assert.match(other.setUp("start").said, /does not run on this system; docs\/install\.md has other ways\n$/);
});

test("root without a known package manager gets the same", (t) => {
  const machine = new Machine(t, {
    id: theAdministrator,
    tmux: "",
    ps: "",
    git: "",
    podman: "",
    ssh: "",
    sshd: "",
    asciinema: "",
    chromium: "",
    curl: "",
    prlimit: "",
    zsh: "",
    fish: "",
    mandoc: "",
    openssl: "",
    "dbus-daemon": "",
    dunst: "",
    Xvfb: "",
    script: "",
  });
  const { code, said } = machine.setUp("test");
  assert.equal(code, 4);
  assert.match(said, /^Paneward needs .*: runc\.?\n$/);
});

test("a failed installation is reported, and the next run tries again", (t) => {
  const machine = new Machine(t, { id: aUser, tmux: "", ps: "", git: "", npm: "exit 7" });
  assert.equal(machine.setUp("start").code, 7);
  assert.equal(machine.setUp("start").code, 7);
});

test("the first run installs, the second does nothing, a changed package list installs again", (t) => {
  const machine = new Machine(t, {
    id: aUser,
    tmux: "",
    ps: "",
    git: "",
    npm: npmThatInstalls,
    chmod: 'exec /bin/chmod "$@"',
  });
  const first = machine.setUp("start");
  assert.equal(first.code, 0, first.said);
  assert.match(first.said, /npm ci/);
  assert.deepEqual(machine.setUp("start"), { code: 0, said: "" });
  writeFileSync(join(machine.folder, "package-lock.json"), "{}");
  assert.match(machine.setUp("start").said, /npm ci/);
  assert.deepEqual(machine.setUp("start"), { code: 0, said: "" });
});

test("root with apt gets the missing packages installed", (t) => {
  const machine = new Machine(t, {
    id: theAdministrator,
    ps: "",
    git: "",
    npm: npmThatInstalls,
    chmod: 'exec /bin/chmod "$@"',
  });
  machine.fake(
    "apt-get",
    `case $1 in install) echo "installed: $*"; touch "${join(machine.folder, "bin/tmux")}";; esac`,
  );
  const { code, said } = machine.setUp("start");
  assert.equal(code, 0, said);
  assert.match(said, /installed: install .* tmux/);
});

test("what only makes the tests quicker is installed if it can be, tried once, and missed without harm", (t) => {
  const programs =
    "tmux ps git podman runc ssh sshd asciinema chromium curl prlimit openssl zsh fish mandoc dbus-daemon dunst Xvfb script nginx caddy".split(
      " ",
    );
  const machine = new Machine(t, Object.fromEntries(programs.map((name) => [name, ""])));
  machine.fake("npm", `mkdir -p node_modules/.agents/pi; ${npmThatInstalls}`);
  machine.fake("chmod", 'exec /bin/chmod "$@"');
  machine.fake("apt-get", 'case $1 in install) echo "asked for: $*"; exit 100;; esac');
  machine.fake("id", aUser);
  const asUser = machine.setUp("test");
  assert.equal(asUser.code, 0, asUser.said);
  assert.doesNotMatch(asUser.said, /headless/);
  machine.fake("id", theAdministrator);
  const asRoot = machine.setUp("test");
  assert.equal(asRoot.code, 0, asRoot.said);
  assert.match(asRoot.said, /asked for: install .* chromium-headless-shell\n/);
  assert.match(asRoot.said, /without chromium-headless-shell: the tests take longer\n$/);
  assert.doesNotMatch(machine.setUp("test").said, /asked for/);
});

test("proxies are unpacked beside the packages, not installed, so that no service of theirs runs; once", (t) => {
  const programs =
    "tmux ps git podman runc ssh sshd asciinema chromium curl prlimit openssl zsh fish mandoc dbus-daemon dunst Xvfb script chromium-headless-shell";
  const machine = new Machine(t, {
    ...Object.fromEntries(programs.split(" ").map((name) => [name, ""])),
    npm: `mkdir -p node_modules/.agents/pi; ${npmThatInstalls}`,
    chmod: 'exec /bin/chmod "$@"',
    rm: 'exec /bin/rm "$@"',
    id: aUser,
    "apt-get": 'echo "asked for: $*"; [ "$1" = download ] && echo nginx >nginx.deb && echo caddy >caddy.deb',
    dpkg: 'read -r name <"$2"; mkdir -p "$3/usr/sbin"; echo >"$3/usr/sbin/$name"; chmod +x "$3/usr/sbin/$name"',
  });
  const { code, said } = machine.setUp("test");
  assert.equal(code, 0, said);
  assert.match(said, /asked for: download -qq nginx caddy\n/);
  assert.doesNotMatch(said, /asked for: install/);
  assert.doesNotMatch(machine.setUp("test").said, /asked for/);
});
