import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { migrations } from "../../src/store/migrations.ts";
import { takeLock } from "../../src/system/lock.ts";
import { afterwards } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { cliArgv, paneward, startPaneward } from "./support/cli.ts";
import { daemonSandbox } from "./support/own-daemon.ts";
import { panewardInTerminal } from "./support/terminal.ts";

describe("the daemon, from the command line", { concurrency: 2 }, () => {
  test("is started once by the first command that needs it, even if several run at the same time", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const all = await Promise.all(Array.from({ length: 4 }, () => paneward(["ps", "--json"], { env })));
    assert.deepEqual(
      all.map(({ code, stderr }) => [code, stderr]),
      [0, 1, 2, 3].map(() => [0, ""]),
    );
    const log = readFileSync(join(folder, "state", "daemon.log"), "utf8");
    assert.doesNotMatch(log, /already running/, "one daemon was started, and no other one that had to give up");
    const status = JSON.parse((await paneward(["daemon", "status", "--json"], { env })).stdout);
    const again = JSON.parse((await paneward(["daemon", "start", "--json"], { env })).stdout);
    assert.equal(again.pid, status.pid);
  });

  test("start, a second start, run, status, restart, stop", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const socket = env.PANEWARD_SOCKET_PATH ?? "";
    const before = await paneward(["daemon", "status"], { env });
    assert.deepEqual([before.code, existsSync(socket)], [3, false], "status starts nothing");
    assert.match(before.stderr, /the daemon is not running: nothing listens on .*\nhint: `paneward daemon start`/);

    const started = await paneward(["daemon", "start"], { env: { ...env, PANEWARD_NO_AUTOSTART: "1" } });
    const [, pid] = /^the daemon has started: pid (\d+), socket \//.exec(started.stdout) ?? [];
    assert.ok(pid, started.stdout + started.stderr);
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    const second = await paneward(["daemon", "start"], { env });
    assert.match(second.stdout, new RegExp(`^the daemon is already running: pid ${pid}, `));
    assert.equal(second.code, 0);
    for (const typed of [["daemon", "run"], ["up"]]) {
      const refused = await paneward(typed, { env });
      assert.match(
        refused.stderr,
        new RegExp(`a daemon is already running with pid ${pid}\nhint: \`paneward daemon stop\``),
      );
      assert.equal(refused.code, 6);
    }

    const withoutTmux = await paneward(["daemon", "restart"], { env: { ...env, PATH: join(folder, "nothing") } });
    assert.match(withoutTmux.stderr, /^paneward: tmux is not installed .*\nhint: /);
    const isPid = async () => JSON.parse((await paneward(["daemon", "status", "--json"], { env })).stdout).pid;
    assert.deepEqual([withoutTmux.code, await isPid()], [4, Number(pid)], "it still runs");
    const database = new DatabaseSync(join(folder, "state", "paneward.db"));
    database.exec(`PRAGMA busy_timeout = 10000; PRAGMA user_version = ${migrations.length + 1}`);
    const older = await paneward(["daemon", "restart"], { env });
    assert.match(older.stderr, /^paneward: the database was written by a newer Paneward.*\nhint: /);
    assert.deepEqual([older.code, await isPid()], [9, Number(pid)], "an older version takes nothing's place");
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.close();

    const restarted = await paneward(["daemon", "restart"], { env });
    const [, next] = /^the daemon has started: pid (\d+)/.exec(restarted.stdout) ?? [];
    assert.notEqual(next, pid);
    const stopped = await paneward(["daemon", "stop"], { env });
    assert.match(stopped.stdout, new RegExp(`^the daemon with pid ${next} has stopped`));
    assert.equal((await paneward(["daemon", "stop"], { env })).code, 3);
  });

  test("works whatever the umask of the shell is; others get no more than it allows them", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const typed = (mask: string, ...words: readonly string[]) =>
      promisify(execFile)("sh", ["-c", `umask ${mask}; exec "$@"`, "sh", ...cliArgv, ...words], { env });
    const { stdout } = await typed("777", "run", "--", "sh", "-c", "umask; touch $HOME/made; sleep 600");
    const { stdout: printed } = await typed("777", "wait", stdout.trim(), "--for", "output=0077");
    assert.match(printed, /printed 0077/);
    const modes = ["state", "run", "state/journals", "state/paneward.db", "state/daemon.log", "made"];
    const expected = [0o700, 0o700, 0o700, 0o600, 0o600, 0o600];
    assert.deepEqual(
      modes.map((name) => statSync(join(folder, name)).mode & 0o777),
      expected,
    );
  });

  test("says what to do when its folders cannot be made", async (t) => {
    const { env, folder } = daemonSandbox(t);
    // A file in the way refuses root too, as a read-only file system does.
    writeFileSync(join(folder, "file"), "");
    for (const typed of [["ps"], ["up"], ["run", "--", "true"]]) {
      const { code, stderr } = await paneward(typed, { env: { ...env, PANEWARD_HOME: join(folder, "file", "state") } });
      assert.match(
        stderr,
        /the folder .*file\/state cannot be made: .*file is a file\nhint: move .* set PANEWARD_HOME to/,
      );
      assert.equal(code, 4);
    }
    const all = { PANEWARD_HOME: "home", PANEWARD_SOCKET_PATH: "run/socket", PANEWARD_TMUX_SOCKET_PATH: "run/tmux" };
    const names = Object.keys(all);
    const places = Object.entries(all).map(([name, path]) => [name, join(folder, "file", path)]);
    const { stderr } = await paneward(["ps"], { env: { ...env, ...Object.fromEntries(places) } });
    for (const name of names) assert.match(stderr, new RegExp(`\\nhint: move .* set ${name} to`));
    assert.equal(stderr.split("\n").length, 3, stderr);
  });

  test("up prints its addresses and first steps, and stops on Ctrl-C", async (t) => {
    const { env } = daemonSandbox(t);
    const cli = startPaneward(t, ["up"], { env });
    await until("it is up", () => cli.printed.stdout.includes("paneward ps --watch"));
    assert.match(
      cli.printed.stdout,
      /^paneward \d+\.\d+\.\d+ is up, pid \d+\..*\n {2}socket {2}\/.*\n {2}tmux {4}\/.*\n {2}http {4}http:\/\/127/,
    );
    const [path = ""] = /^ {2}export PATH=.*$/m.exec(cli.printed.stdout) ?? [];
    assert.match(
      execFileSync("sh", ["-c", `${path}; paneward --version`], { env, encoding: "utf8" }),
      /^\d+\.\d+\.\d+\n$/,
    );
    assert.equal((await paneward(["ps"], { env })).code, 0);
    cli.child.kill("SIGINT");
    const { code, stdout } = await cli.ended;
    assert.equal(code, 0);
    assert.match(stdout, /\nThe daemon has stopped\. Terminals keep running/);
  });

  test("up reports that its port is in use, and serves on its socket", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const other = createServer().listen(0, "127.0.0.1");
    t.after(() => other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    writeFileSync(join(folder, "config", "paneward", "config.toml"), `[web]\nport = ${port}\n`);
    const cli = startPaneward(t, ["up"], { env });
    await until("it is up", () => cli.printed.stdout.includes("paneward ps --watch"));
    assert.match(cli.printed.stdout, /\n {2}http {4}none: the port is in use; set another `port`/);
    assert.equal((await paneward(["ps"], { env })).code, 0);
  });

  test("stops on SIGTERM even if its state folder was removed", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const cli = startPaneward(t, ["up"], { env });
    await until("it is up", () => cli.printed.stdout.includes("paneward ps --watch"));
    // The daemon may write a file into it meanwhile.
    rmSync(join(folder, "state"), { recursive: true, maxRetries: 10 });
    cli.child.kill("SIGTERM");
    const { code, signal } = await cli.ended;
    assert.equal(signal, null);
    assert.notEqual(code, null);
  });

  test("that cannot start is reported at once, in one sentence of this start", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const state = join(folder, "state");
    mkdirSync(join(state, "paneward.db"), { recursive: true });
    writeFileSync(join(state, "daemon.log"), '{"level":30,"msg":"of a start before"}\npaneward: an older failure\n');
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(
      stderr,
      /^paneward: the daemon could not be started: the database cannot be used: [^\n{]*\nhint: [^\n]+\n$/,
    );
    assert.equal(code, 4);
    rmSync(join(state, "paneward.db"), { recursive: true });
    writeFileSync(env.PANEWARD_SOCKET_PATH ?? "", "precious");
    assert.match(
      (await paneward(["ps"], { env })).stderr,
      /daemon\.sock exists and is not a socket\nhint: move it away/,
    );
  });

  test("that cannot start in its state folder, where not even a log can be, says so", async (t) => {
    const { env, folder } = daemonSandbox(t);
    writeFileSync(join(folder, "state"), "a file");
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(stderr, /^paneward: the daemon could not be started: .*\/state.*\nhint: .+\n$/);
    assert.equal(code, 4);
  });

  test("that holds its locks and does not listen is named, and the command ends", async (t) => {
    const { env, folder } = daemonSandbox(t);
    mkdirSync(join(folder, "run"));
    const other = takeLock(`${env.PANEWARD_SOCKET_PATH}.lock`);
    afterwards(t, () => other.release());
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(stderr, new RegExp(`no daemon listens on .* after 15 s: .* process ${process.pid} holds `));
    assert.equal(code, 4);
  });

  test("that uses the state folder and listens elsewhere is named at once", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const elsewhere = { ...env, PANEWARD_SOCKET_PATH: join(folder, "elsewhere.sock") };
    assert.equal((await paneward(["ps"], { env: elsewhere })).code, 0);
    const began = performance.now();
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(
      stderr,
      /could not be started: .*process \d+ holds .*state\/daemon\.lock.* another socket\nhint: .+PANEWARD_HOME.+\n$/,
    );
    assert.equal(code, 4);
    assert.ok(performance.now() - began < 15_000, "it was not waited for");
    assert.equal((await paneward(["daemon", "stop"], { env: elsewhere })).code, 0);
  });

  test("that may not start beside the locks that it has is reported at once, with what to do", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const other = { ...env, PANEWARD_SOCKET_PATH: join(folder, "other.sock"), PANEWARD_HOME: join(folder, "other") };
    assert.equal((await paneward(["ps"], { env: other })).code, 0);
    const began = performance.now();
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(stderr, /could not be started: the tmux server on .* another state folder\nhint: set PANEWARD_TMUX_/);
    assert.equal(code, 4);
    assert.ok(performance.now() - began < 15_000, "it was not waited for");
    assert.match((await paneward(["daemon", "run"], { env })).stderr, /another state folder\nhint: set PANEWARD_TMUX_/);
    assert.equal((await paneward(["daemon", "stop"], { env: other })).code, 0);
  });

  test("is found where `~` leads; a relative path and one that is too long are refused, and nothing is made", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const long = join(folder, "x".repeat(120));
    for (const [name, path, said] of [
      ["PANEWARD_SOCKET_PATH", "run/d.sock", /PANEWARD_SOCKET_PATH is a relative path/],
      ["PANEWARD_TMUX_SOCKET_PATH", "run/t.sock", /PANEWARD_TMUX_SOCKET_PATH is a relative path/],
      ["PANEWARD_HOME", "state", /PANEWARD_HOME is a relative path/],
      ["PANEWARD_SOCKET_PATH", long, new RegExp(`at most 107 bytes, and this one ${long.length}: `)],
    ] as const) {
      const { code, stderr } = await paneward(["ps"], { env: { ...env, [name]: path }, cwd: folder });
      assert.match(stderr, said);
      assert.match(stderr, /\nhint: .+\n$/);
      assert.equal(code, 2);
    }
    const tooLong = await paneward(["ps"], { env: { ...env, PANEWARD_TMUX_SOCKET_PATH: long } });
    assert.match(
      tooLong.stderr,
      new RegExp(`at most 107 bytes, and this one ${long.length}: .*\nhint: .*TMUX_SOCKET_PATH`),
    );
    assert.deepEqual(readdirSync(folder).sort(), ["config", "state", "tmp"]);

    const sockets = { PANEWARD_SOCKET_PATH: "~/run/d.sock", PANEWARD_TMUX_SOCKET_PATH: "~/run/tmux.sock" };
    assert.equal((await paneward(["ps"], { env: { ...env, ...sockets }, cwd: folder })).code, 0);
    assert.ok(existsSync(join(folder, "run", "d.sock")));
    assert.equal((await paneward(["daemon", "stop"], { env: { ...env, ...sockets } })).code, 0);
  });

  test("is started beside another program at its port: every command gets its answer", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const other = createServer().listen(0, "127.0.0.1");
    t.after(() => other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    writeFileSync(join(folder, "config", "paneward", "config.toml"), `[web]\nport = ${port}\n`);
    for (let round = 0; round < 2; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, () => paneward(["ps", "--json"], { env })));
      assert.deepEqual(
        all.map(({ code, stderr }) => [code, stderr]),
        all.map(() => [0, ""]),
      );
      assert.equal((await paneward(["daemon", "stop"], { env })).code, 0);
    }
    const log = readFileSync(join(folder, "state", "daemon.log"), "utf8");
    assert.equal(log.match(/no HTTP on loopback/g)?.length, 2, "one warning for each start");
    assert.doesNotMatch(log, /EADDRINUSE/, "and nothing else about the port");
  });

  test("uses the socket path from the configuration, and so do commands", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const { PANEWARD_SOCKET_PATH: _, ...rest } = env;
    const socket = join(folder, "elsewhere", "d.sock");
    const toml = `[web]\nport = 0\n[daemon]\nsocket_path = ${JSON.stringify(socket)}\n`;
    writeFileSync(join(folder, "config", "paneward", "config.toml"), toml);
    assert.equal((await paneward(["ps"], { env: rest })).code, 0);
    assert.ok(existsSync(socket));
    assert.equal((await paneward(["daemon", "stop"], { env: rest })).code, 0);
  });

  test("attach names the keys that leave, also inside another tmux, and says that a program has ended", async (t) => {
    const { env } = daemonSandbox(t);
    await paneward(["run", "--name", "runs", "--", "sleep", "1000"], { env });
    await paneward(["run", "--name", "over", "--", "sh", "-c", "exit 3"], { env });
    await paneward(["wait", "over", "--for", "exited"], { env });
    for (const [id, terminal, says] of [
      ["runs", "xterm-256color", / C-b d leaves it running$/m],
      ["runs", "tmux-256color", / C-b C-b d \(C-b d if your own prefix differs\) leaves it running$/m],
      ["over", "screen", / the program has ended .*C-b C-b d \(C-b d if your own prefix differs\) leaves$/m],
    ] as const) {
      const cli = await panewardInTerminal(t, ["attach", id], { ...env, TERM: terminal });
      await cli.shows(says);
      await cli.press("C-b", "d");
      assert.equal(await cli.ended(), 0);
    }
  });

  test("is reached over HTTP with a token and an address", async (t) => {
    const { env } = daemonSandbox(t);
    const cli = startPaneward(t, ["up"], { env });
    const [url = ""] = await until("the address", () => /http:\/\/[\d.:]+/.exec(cli.printed.stdout) ?? false);
    const created = await paneward(["token", "create", "--scope", "read"], { env });
    const { PANEWARD_SOCKET_PATH: _, ...rest } = env;
    const remote = { ...rest, PANEWARD_URL: url, PANEWARD_TOKEN: created.stdout.trim() };
    assert.equal((await paneward(["ps", "--json"], { env: remote })).code, 0);
    assert.equal((await paneward(["stop", "x"], { env: remote })).code, 7, "a token for reading stops nothing");
    assert.equal((await paneward(["ps"], { env: { ...remote, PANEWARD_TOKEN: "wrong" } })).code, 7);
  });
});
