import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../support/until.ts";
import { elsewhere, Machine, type Said } from "./support/machine.ts";
import { alive, daemonOf, programOf, runProgram, statusOf } from "./support/service.ts";

const endTerminals =
  "paneward stop prog && paneward daemon stop && tmux -S $XDG_RUNTIME_DIR/paneward/tmux.sock kill-server";

describe("a service of systemd", () => {
  let machine: Machine;
  before(async () => {
    machine = await Machine.boot("bookworm");
  });
  after(() => machine.remove());

  const fine = (said: Said) => {
    assert.equal(said.code, 0, `${said.stdout}\n${said.stderr}`);
    return said.stdout;
  };
  const filesOf = (name: string) =>
    machine.root(`cd /home/${name} && find . -path ./.local/state -prune -o -path ./.cache -prune -o -print | sort`);
  const isLingering = async (name: string) =>
    (await machine.tryRoot(`test -e /var/lib/systemd/linger/${name}`)).code === 0;

  test("is installed while a terminal runs, moved to another installation, and taken back exactly", async () => {
    const user = await machine.user("ada");
    fine(await user.login(`mkdir -p .local && paneward daemon status; ${runProgram}`));
    const there = await filesOf("ada");
    const installed = await user.login('PATH="/opt/100% \'a\' \\$HOME \\"b\\":$PATH" paneward service install');
    fine(installed);
    assert.ok(await isLingering("ada"), "polkit lets a user linger");
    const program = await programOf(user);
    const verified = await user.here("systemd-analyze --user verify ~/.config/systemd/user/paneward.service");
    assert.deepEqual([verified.code, verified.stderr], [0, ""]);
    const variables = fine(await user.here(`tr '\\0' '\\n' </proc/${await daemonOf(user)}/environ`));
    assert.match(variables, /^PATH=\/opt\/100% 'a' \$HOME "b":\/usr\/local\/bin/m);
    assert.match(fine(await user.here("paneward service status")), /version +0\.1\.0, this installation/);

    const again = await user.here("paneward service install");
    assert.match(fine(again), /paneward\.service: renewed/, "another PATH");
    assert.match(fine(await user.here("paneward service install")), /^the service is in place/);

    const other = await user.here("paneward-elsewhere service status");
    assert.equal(other.code, 6);
    assert.match(other.stdout, /another installation: /);
    const first = await daemonOf(user);
    fine(await user.here("paneward-elsewhere service install"));
    const moved = await daemonOf(user);
    assert.notEqual(moved, first);
    assert.ok((await machine.root(`tr '\\0' ' ' </proc/${moved}/cmdline`)).startsWith(elsewhere));
    assert.deepEqual(await alive(machine, program), [true]);

    const taken = await user.here("paneward service uninstall");
    assert.match(
      fine(taken),
      /lingering for ada: switched off/,
      "the terminal is in the first login, and not in the manager",
    );
    assert.equal(await daemonOf(user), 0);
    assert.deepEqual(await alive(machine, program), [true]);
    assert.equal(await filesOf("ada"), there);
    assert.ok(!(await isLingering("ada")));
    fine(await user.login(endTerminals));
  });

  test("leaves lingering on while terminals run that would end with it, and switches it off later", async () => {
    const user = await machine.user("joe");
    fine(await user.login(`paneward service install && ${runProgram}`));
    const program = await programOf(user);
    const taken = await user.here("paneward service uninstall");
    assert.equal(taken.code, 6, taken.stdout);
    assert.match(taken.stderr, /lingering for joe: left on, because terminals run/);
    assert.equal(await daemonOf(user), 0);
    assert.deepEqual(await alive(machine, program), [true]);
    fine(await user.here(endTerminals));
    assert.match(fine(await user.here("paneward service uninstall")), /lingering for joe: switched off/);
    assert.ok(!(await isLingering("joe")));
  });

  test("is refused where it would end with the last logout: nothing is made, and the command that helps is named", async () => {
    await machine.root("systemctl mask --now --quiet polkit");
    const user = await machine.user("ben");
    const there = await filesOf("ben");
    const { code, stderr } = await user.login("paneward service install");
    assert.equal(code, 11);
    assert.match(
      stderr,
      /would end with the last logout.*nothing was changed\nhint: run `sudo loginctl enable-linger ben`/,
    );
    assert.equal(await filesOf("ben"), there);
    await machine.root("systemctl unmask --quiet polkit && loginctl enable-linger ben");
    fine(await user.login("paneward service install"));
    assert.equal((await statusOf(user)).problem, null);
    await user.linger(false);
    assert.equal((await user.login("paneward service status")).code, 11);
  });

  test("starts the daemon for every command that needs one, once, and is not fought with", async () => {
    const user = await machine.user("cleo");
    await user.linger(true);
    fine(await user.login("paneward service install && paneward daemon stop"));
    assert.equal(await daemonOf(user), 0);
    fine(await user.here("for i in 1 2 3 4; do paneward ps >/dev/null & done; wait"));
    const pid = await daemonOf(user);
    assert.ok(pid > 0, "systemd runs it");
    assert.equal(fine(await user.here(`pgrep -u cleo -fc '[d]aemon run'`)).trim(), "1");

    // One that somebody runs by hand while the service is stopped.
    fine(
      await user.here(
        "paneward daemon stop; (setsid paneward daemon run >/dev/null 2>&1 &); until paneward daemon status; do :; done",
      ),
    );
    await user.here("systemctl --user start paneward");
    const beaten = await statusOf(user);
    assert.deepEqual([beaten.active, beaten.exitStatus], ["failed", 6]);
    assert.match(beaten.running ?? "", /a daemon that the service did not start runs/);
    fine(await user.here("paneward daemon restart"));
    assert.equal((await statusOf(user)).problem, null);
  });

  test("says why a daemon does not start, and its log is shown and followed", async () => {
    const user = await machine.user("dora");
    await user.linger(true);
    fine(await user.login("paneward service install && paneward daemon stop"));
    await machine.root("printf 'no database' >/home/dora/.local/state/paneward/paneward.db");
    const { code, stderr } = await user.here("paneward ps");
    assert.equal(code, 8, stderr);
    assert.match(stderr, /doctor --repair/);
    assert.match((await statusOf(user)).running ?? "", /it failed: exit code 8/);
    const logs = fine(await user.here("paneward service logs --lines 3"));
    assert.match(logs, /^hint: .*doctor --repair/m);
    const followed = await user.here(
      "(paneward service logs --lines 0 --follow >followed & echo $! >pid); sleep 0; until pgrep -u dora -f 'logs --lines' >/dev/null; do :; done; " +
        "until grep -q added followed; do echo added >>.local/state/paneward/daemon.log; done; kill $(cat pid)",
    );
    fine(followed);
  });

  test("is not offered where no manager answers: one sentence and code 4 each, and commands work without it", async () => {
    const user = await machine.user("finn");
    const without = await user.alone("paneward service install");
    assert.equal(without.code, 4);
    assert.match(
      without.stderr,
      /systemd runs no manager for finn\nhint: `sudo loginctl enable-linger finn` starts one/,
    );
    const root = await machine.tryRoot("paneward service install");
    assert.equal(root.code, 4);
    assert.match(root.stderr, /no manager for root\nhint: `loginctl enable-linger root` starts one/);
    await user.linger(true);
    await until(
      "the manager runs",
      async () => (await machine.tryRoot(`test -e /run/user/${user.uid}/systemd/private`)).code === 0,
    );
    const after = await user.alone("paneward service install");
    assert.equal(after.code, 4);
    assert.match(
      after.stderr,
      new RegExp(`XDG_RUNTIME_DIR is not set.*\\nhint: .*export XDG_RUNTIME_DIR=/run/user/${user.uid}`),
    );
    fine(await user.here("paneward service install"));
    const lost = await user.alone("paneward ps");
    assert.equal(lost.code, 4);
    assert.match(
      lost.stderr,
      new RegExp(`service listens on /run/user/${user.uid}/.*\\nhint: .export PANEWARD_SOCKET_PATH=`),
    );
  });

  test("is a step of init, which takes it back", async () => {
    const user = await machine.user("gil");
    await user.alone("mkdir .local");
    const there = await filesOf("gil");
    assert.match(fine(await user.login("paneward init --dry-run")), /service: the daemon begins with the machine/);
    assert.match(fine(await user.login("paneward init --yes")), /service/);
    assert.equal((await statusOf(user)).problem, null);
    assert.match(fine(await user.login("paneward init --yes")), /Everything is in place/);
    fine(await user.login("paneward init --undo --yes"));
    assert.equal(await daemonOf(user), 0);
    assert.equal(await filesOf("gil"), there);
    assert.ok(!(await isLingering("gil")));
  });
});
