import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../support/until.ts";
import { Machine, type Said, type Suite, suites, type User } from "./support/machine.ts";
import { alive, daemonOf, programOf, runProgram, statusOf } from "./support/service.ts";

for (const [suite, tmux] of Object.entries(suites)) {
  describe(`terminals of a service, with ${tmux}`, () => {
    let machine: Machine;
    before(async () => {
      machine = await Machine.boot(suite as Suite);
    });
    after(() => machine.remove());

    const fine = (said: Said) => {
      assert.equal(said.code, 0, `${said.stdout}\n${said.stderr}`);
      return said.stdout;
    };

    /** A user with the service and a program in a terminal, logged out again. */
    async function served(
      name: string,
    ): Promise<{ readonly user: User; readonly program: number; readonly server: number }> {
      const user = await machine.user(name);
      await user.linger(true);
      fine(await user.login(`paneward service install && ${runProgram}`));
      await user.loggedOut();
      const { tmux: server } = await statusOf(user);
      assert.equal(server?.hasOwnScope, true);
      return { user, program: await programOf(user), server: server?.pid ?? 0 };
    }

    test("outlast a logout, a restart, a kill -9, a stop and a start of the daemon", async () => {
      const { user, program, server } = await served("ada");
      const lives = async (after: string) =>
        assert.deepEqual(await alive(machine, program, server), [true, true], after);
      await lives("logout");
      const first = await daemonOf(user);

      fine(await user.here("systemctl --user restart paneward"));
      const second = await daemonOf(user);
      assert.notEqual(second, first);
      await lives("restart");

      await machine.root(`kill -9 ${second}`);
      await until("systemd has started it again", async () => ![0, second].includes(await daemonOf(user)), 30_000);
      await lives("kill -9");
      assert.match((await statusOf(user)).running ?? "", /started again 1 times/);

      fine(await user.here("systemctl --user stop paneward"));
      assert.equal(await daemonOf(user), 0);
      await lives("stop");

      fine(await user.here("paneward daemon start && paneward ps --json"));
      await lives("start");
      fine(await user.here("paneward daemon restart"));
      await lives("daemon restart");
      assert.equal(await programOf(user), program, "the daemon knows it as the same");
      const { code, stdout } = await user.here("paneward read prog | tail -n 1");
      assert.deepEqual([code, /^tick \d+$/m.test(stdout)], [0, true]);
    });

    test("of a user who does not linger outlast the logout and the daemon: they stay in the login", async () => {
      const user = await machine.user("dan");
      const { stdout, stderr } = await user.login(`{ ${runProgram}; } >/dev/null; paneward service status --json`);
      assert.notEqual(stdout, "", stderr);
      const { tmux: server, daemon } = JSON.parse(stdout);
      assert.equal(server.endsWithManager, false);
      const program = await programOf(user);
      await until(
        "the login ends",
        async () =>
          (await machine.root("loginctl list-sessions --no-legend | grep dan | wc -l")) === "0" ||
          (await machine.root("loginctl show-user dan -p State --value")) === "closing",
      );
      await machine.root(`kill -9 ${daemon.pid}`);
      await until("the daemon is gone", async () => !(await alive(machine, daemon.pid))[0]);
      assert.deepEqual(await alive(machine, program, server.pid), [true, true]);
      fine(await user.here("paneward daemon start && paneward stop prog && paneward daemon stop"));
    });

    test("are Lost after a reboot, and the daemon is there again before anybody logs in", async () => {
      const { user } = await served("kim");
      await machine.reboot();
      await until("the daemon is back", async () => (await daemonOf(user)) > 0, 60_000);
      assert.equal((await statusOf(user)).problem, null);
      const logins = await machine.tryRoot("loginctl list-sessions --no-legend | grep -vw manager");
      assert.equal(logins.stdout, "");
      const [terminal] = JSON.parse(fine(await user.here("paneward ps --all --json"))).terminals;
      assert.equal(terminal.status, "Lost");
    });

    // The last one: a login right after logind was started anew gets no session now and then (systemd 257).
    test("outlast the logout of a user whose processes are killed then", async () => {
      await machine.root(
        "mkdir -p /etc/systemd/logind.conf.d && printf '[Login]\\nKillUserProcesses=yes\\n' >/etc/systemd/logind.conf.d/kill.conf && systemctl restart systemd-logind",
      );
      const user = await machine.user("eve");
      await user.linger(true);
      // No service: a shell starts the daemon, which ends with the login.
      const pid = Number(
        fine(
          await user.login(
            `${runProgram} && paneward daemon status --json | grep -o '"pid": *[0-9]*' | grep -o '[0-9]*'`,
          ),
        )
          .split("\n")
          .at(-2),
      );
      await user.loggedOut();
      await until("the shell's daemon was killed", async () => !(await alive(machine, pid))[0], 30_000);
      const { tmux: server } = await statusOf(user);
      assert.equal(server?.hasOwnScope, true);
      fine(await user.here("paneward daemon start"));
      assert.deepEqual(await alive(machine, await programOf(user)), [true]);
      await machine.root("rm /etc/systemd/logind.conf.d/kill.conf && systemctl restart systemd-logind");
    });
  });
}
