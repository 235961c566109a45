import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type ErrorCode, errorTable, PanewardError } from "@paneward/sdk";
import { cliArgv, paneward } from "./support/cli.ts";
import { fakeAnswers } from "./support/fake-answers.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { typed } from "./support/typed.ts";

describe("a failure of the daemon", { concurrency: 4 }, () => {
  for (const code of Object.keys(errorTable) as ErrorCode[]) {
    const { exitCode, hint } = errorTable[code];
    test(`${code} becomes exit code ${exitCode}, the message and what to do next`, async (t) => {
      const fail = () => {
        throw new PanewardError(code, "it went wrong");
      };
      const { env } = await fakeDaemon(t, { ps: fail });
      const ran = await typed(["ps", "--json"], { env });
      assert.deepEqual(ran, {
        code: exitCode,
        signal: null,
        stdout: "",
        stderr: `paneward: it went wrong\nhint: ${hint.replace("COMMAND", "ps")}\n`,
      });
    });
  }

  test("for one id is printed, the others still run, and the exit code is that of the first failure", async (t) => {
    const stop = ({ id }: Readonly<Record<string, unknown>>) => {
      if (id === "b") throw new PanewardError("not_found", "no b");
      if (id === "c") throw new PanewardError("wrong_state", "c is not running");
      return { id: String(id), stopped: true };
    };
    const { env } = await fakeDaemon(t, { stop });
    const { stdout, stderr, code } = await paneward(["stop", "a", "b", "c", "d"], { env });
    assert.equal(stdout, "a stopped\nd stopped\n");
    assert.match(stderr, /paneward: no b\nhint: .*\npaneward: c is not running\n/);
    assert.equal(code, 3);
  });

  test("what is no UTF-8 is refused, on stdin and on the command line", async (t) => {
    const { env, asked } = await fakeDaemon(t);
    const latin1 = Buffer.from("caf\u00e9", "latin1");
    for (const input of [latin1, Buffer.from("half a pair: \u00ed\u00a0\u0080", "latin1")]) {
      const { stderr, code } = await paneward(["send", "12", "-"], { env, input });
      assert.match(stderr, /^paneward: stdin is not UTF-8; nothing was done\nhint: /);
      assert.equal(code, 2);
    }
    const script = 'exec "$@" "$(printf "caf\\351")"';
    const { stderr, status } = spawnSync("sh", ["-c", script, "sh", ...cliArgv, "send", "12"], {
      env,
      encoding: "utf8",
    });
    assert.match(stderr, /^paneward: the command line is not UTF-8; nothing was done\nhint: /);
    assert.equal(status, 2);
    assert.equal(asked.length, 0);
    const whole = await paneward(["send", "12", "caf\u00e9 \ufffd"], { env, input: "" });
    assert.equal(whole.code, 0, whole.stderr);
    const marked = await paneward(["send", "12", "-"], { env, input: "\ufeffa\r\nb\r\n" });
    assert.equal(marked.code, 0, marked.stderr);
    assert.deepEqual(
      asked.map(({ input }) => input.text),
      ["caf\u00e9 \ufffd", "\ufeffa\r\nb"],
    );
  });

  test("a failed delivery is printed and exits with code 1", async (t) => {
    const { env } = await fakeDaemon(t, {
      send: () => ({ ...fakeAnswers.send, state: "failed", reason: "the pane is gone" }),
    });
    const { stdout, code } = await paneward(["send", "12", "x"], { env });
    assert.deepEqual([stdout, code], ["d1 to t3: failed (the pane is gone)\n", 1]);
  });
});

describe("what becomes of a delivery", { concurrency: 4 }, () => {
  const release = "it is answered";
  const ends: readonly (readonly [args: readonly string[], receipt: object, exitCode: number])[] = [
    [["x"], { state: "acknowledged" }, 0],
    [["x", "--no-enter"], { state: "typed" }, 0],
    [["--key", "C-c"], { state: "submitted" }, 0],
    [["x"], { state: "unknown" }, 5],
    [["--key", "C-c"], { state: "unknown" }, 5],
    [["x", "--timeout", "0"], { state: "queued" }, 5],
    [["x", "--timeout", "0"], { state: "submitted" }, 5],
    [["x"], { state: "held", release }, 10],
    [["x"], { state: "queued", release }, 10],
    [["x"], { state: "typed", release }, 10],
    [["--key", "C-c"], { state: "held", release }, 10],
  ];
  for (const [args, receipt, exitCode] of ends) {
    test(`${args.join(" ")} ends with ${exitCode} when it is ${Object.values(receipt).join(" until ")}`, async (t) => {
      const { env } = await fakeDaemon(t, { send: () => ({ ...fakeAnswers.send, ...receipt }) });
      assert.equal((await paneward(["send", "12", ...args], { env })).code, exitCode);
    });
  }

  test("the manual's table has each of these exit codes, and those of a failure", () => {
    const page = readFileSync(new URL("../../../../docs/answering.md", import.meta.url), "utf8");
    const [, table = ""] = /^\| Exit code of `send`.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const listed = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = ""]) => codes.split(", ").map(Number));
    // Only a service is refused for want of lingering.
    const failures = Object.values(errorTable).flatMap((row) => (row === errorTable.no_linger ? [] : row.exitCode));
    const wanted = new Set([...ends.map(([, , exitCode]) => exitCode), ...failures]);
    assert.deepEqual(
      listed,
      [...wanted].toSorted((one, other) => one - other),
    );
  });
});

describe("the capability answers in JSON", { concurrency: 4 }, () => {
  const xml = '<capability name="tmux" action="init" />';

  test("and exits with the code of the first call that failed", async (t) => {
    const { env } = await fakeDaemon(t, {
      capability: () => ({ results: [{ success: false, error: "no", suggestion: "look" }], failed: "not_found" }),
    });
    const { stdout, code } = await paneward(["capability", xml], { env });
    assert.deepEqual([stdout, code], ['{"success":false,"error":"no","suggestion":"look"}\n', 3]);
  });

  test("also without a daemon, and with one that cannot start because tmux is missing", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const PATH = join(folder, "bin");
    mkdirSync(PATH);
    // Everything that the command needs to run, without tmux.
    symlinkSync(process.execPath, join(PATH, "node"));
    const nowhere = join(folder, "run", "other.sock");
    const starting = { ...env, PANEWARD_SOCKET_PATH: nowhere, PANEWARD_NO_AUTOSTART: "", PATH };
    for (const [given, error] of [
      [{ ...env, PANEWARD_SOCKET_PATH: nowhere }, /^no daemon listens on /],
      [starting, /tmux is not installed or not on PATH/],
    ] as const) {
      const { stdout, code } = await paneward(["capability", xml], { env: given });
      const result: unknown = JSON.parse(stdout);
      assert.deepEqual(Object.keys(Object(result)), ["success", "error", "suggestion"]);
      assert.equal(Object(result).success, false);
      assert.match(Object(result).error, error);
      assert.equal(code, 4);
    }
  });
});

describe("an invalid command line exits with code 2 and a hint", { concurrency: 4 }, () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["pss"], /^paneward: unknown command 'pss'\nhint: did you mean ps\?\n$/],
    [["xyzzy"], /^paneward: unknown command 'xyzzy'\nhint: `paneward --help` shows how\n$/],
    [["ls"], /unknown command 'ls'\nhint: did you mean ps\?/],
    [["daemon", "xyzzy"], /unknown command 'xyzzy'\nhint: `paneward daemon --help` shows how\n$/],
    [["hooks", "install"], /missing required argument 'agent'\nhint: `paneward hooks install --help` shows how\n$/],
    [["daemon", "stpo"], /unknown command 'stpo'\nhint: did you mean stop\?/],
    [["ps", "--al"], /unknown option '--al'\nhint: did you mean --all\?/],
    [["ps", "extra"], /too many arguments[^\n]*\nhint: `paneward ps --help` shows how\n/],
    [["attach"], /no id given\nhint: paneward attach ID, or paneward attach --follow/],
    [["stop"], /missing required argument 'id'\nhint: `paneward stop --help`/],
    [["read", "1", "--lines"], /argument missing/],
    [["read", "1", "--lines", "many"], /--lines needs a non-negative number, got "many"/],
    [["wait", "1"], /--for is missing\nhint: give --for exited/],
    [["wait", "1", "--for", "later"], /--for: unknown condition "later"/],
    [["send", "1"], /nothing to send\nhint: give a text/],
    [
      ["send", "1", "--key", "C-c", "--command"],
      /--command needs a text, and there are only keys\nhint: .*send 1 --command/,
    ],
    [
      ["respond", "1", "--deny", "no", "--option", "2"],
      /--option and --deny cannot be.*\nhint: leave out --option or --deny\n$/,
    ],
    [
      ["respond", "1", "yes", "--option", "2"],
      /the text and --option cannot be.*\nhint: leave out the text or --option\n$/,
    ],
    [["respond", "1", "--deny", ""], /--deny needs words for the agent\nhint: .*`paneward respond 1 --option 0`\n$/],
    [
      ["trust", "--list", "--revoke"],
      /--list and --revoke cannot be given together\nhint: leave out --list or --revoke\n$/,
    ],
    [["trust", "--yes", "--list"], /--yes and --list cannot be given together/],
    [["trust", "--yes", "--revoke"], /--yes and --revoke cannot be given together/],
    [["trust", "folder", "--list"], /--list and a folder cannot be given together/],
    [["new"], /a task needs a text/],
    [["new", "  "], /a task needs a text/],
    [["run", "--env", "NOT_THERE", "--", "ls"], /--env needs NAME=VALUE/],
    [
      ["token", "create", "--scope", "root"],
      /unknown scope "root"\nhint: --scope is one of read, send, approve, admin/,
    ],
    [["completion", "tcsh"], /no completion for the shell "tcsh"\nhint: use one of bash, zsh, fish/],
    [["undo", "x"], /undo needs a task number/],
    [["doctor", "--downgrade"], /--downgrade is a kind of repair\nhint: paneward doctor --repair --downgrade/],
    [["token"], /Usage: paneward token/],
  ];
  for (const [argv, says] of wrong) {
    test(`paneward ${argv.join(" ")}`, async (t) => {
      const { env, asked } = await fakeDaemon(t);
      const { stdout, stderr, code } = await typed(argv, { env });
      assert.match(stderr, says);
      assert.deepEqual([stdout, code, asked], ["", 2, []]);
    });
  }
});

describe("without a terminal", { concurrency: 4 }, () => {
  for (const command of ["rm", "reset"]) {
    test(`${command} requires --yes`, async (t) => {
      const { env, asked } = await fakeDaemon(t);
      const { stderr, code } = await paneward([command, "12"], { env, input: "y\n" });
      assert.match(stderr, /Cannot prompt: not a terminal \(TTY\)\nhint: add --yes/);
      assert.deepEqual([code, asked], [2, []]);
    });
  }

  test("attach reports that it needs one, and which commands do not", async (t) => {
    const { env, asked } = await fakeDaemon(t);
    const { stderr, code } = await paneward(["attach", "12"], { env });
    assert.match(stderr, /attach needs an interactive terminal \(TTY\)\nhint: `paneward screen 12`/);
    assert.deepEqual([code, asked], [2, []]);
  });

  test("output has no colour and no progress", async (t) => {
    const slow = () => new Promise<typeof fakeAnswers.ps>((resolve) => setTimeout(resolve, 500, fakeAnswers.ps));
    const { env } = await fakeDaemon(t, { ps: slow });
    const { stdout, stderr } = await paneward(["ps"], { env: { ...env, TERM: "xterm-256color" } });
    assert.doesNotMatch(stdout, /\u001b/);
    assert.equal(stderr, "");
  });
});

describe("a missing daemon", { concurrency: 4 }, () => {
  test("is not started with PANEWARD_NO_AUTOSTART=1: exit code 4 and a hint", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const noDaemon = { ...env, PANEWARD_SOCKET_PATH: `${folder}/none.sock` };
    const { stderr, code } = await paneward(["ps"], { env: noDaemon });
    assert.equal(
      stderr,
      `paneward: no daemon listens on ${folder}/none.sock\nhint: start it with \`paneward daemon start\`\n`,
    );
    assert.equal(code, 4);
  });

  test("is what doctor reports first, next to all that can be checked without it", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const noDaemon = { ...env, PANEWARD_SOCKET_PATH: `${folder}/none/none.sock`, PANEWARD_HOME: `${folder}/no/state` };
    const { stdout, stderr, code } = await paneward(["doctor"], { env: noDaemon });
    assert.match(
      stdout,
      /^wrong +daemon +no daemon listens on .*none\.sock\n +start it with `paneward daemon start`\n/,
    );
    for (const line of [
      /^ok +tmux +tmux 3/m,
      /^ok +git +git version/m,
      /^ok +daemon socket .*none\.sock, not made yet$/m,
      /^ok +disk .*no\/state, \d+ MB free$/m,
      /^ok +database .*paneward\.db, not made yet$/m,
      /^(ok|—) +agent claude /m,
    ]) {
      assert.match(stdout, line);
    }
    assert.deepEqual([stderr, code], ["", 1]);
    assert.equal(existsSync(`${folder}/no`), false, "it only looks");
  });

  test("that cannot start for want of tmux: doctor names what is missing, and not itself", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const PATH = join(folder, "bin");
    mkdirSync(PATH);
    symlinkSync(process.execPath, join(PATH, "node"));
    const starting = { ...env, PANEWARD_SOCKET_PATH: join(folder, "other.sock"), PANEWARD_NO_AUTOSTART: "", PATH };
    const { stdout, code } = await paneward(["doctor"], { env: starting });
    assert.match(stdout, /^wrong +daemon .*tmux is not installed.*\nwrong +tmux .*\n +install tmux/m);
    assert.doesNotMatch(stdout, /`paneward doctor`/);
    assert.equal(code, 1);
  });

  test("ends commands that follow events, instead of retrying forever", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    const noDaemon = { ...env, PANEWARD_SOCKET_PATH: `${folder}/none.sock` };
    for (const argv of [
      ["events", "--follow"],
      ["ps", "--watch"],
    ]) {
      assert.equal((await paneward(argv, { env: noDaemon })).code, 4);
    }
  });

  test("at a URL gets another message than one on the socket", async (t) => {
    const { env } = await fakeDaemon(t);
    const url = `http://127.0.0.1:${await freePort()}`;
    const { stderr, code } = await paneward(["ps"], { env: { ...env, PANEWARD_URL: `${url}/` } });
    assert.match(stderr, new RegExp(`no daemon answers at ${url}: [^\\n]*\\nhint: check PANEWARD_URL`));
    assert.equal(code, 4);
  });

  test("a token without an address, while the daemon chooses its port: the hint says what to set", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    mkdirSync(`${folder}/config/paneward`, { recursive: true });
    writeFileSync(`${folder}/config/paneward/config.toml`, "[web]\nport = 0\n");
    const { stderr, code } = await paneward(["ps"], { env: { ...env, PANEWARD_TOKEN: "pw_x" } });
    assert.match(
      stderr,
      /PANEWARD_TOKEN is set, .*port = 0.*config\.toml[^\n]*\nhint: set PANEWARD_URL to .*unset PANEWARD_TOKEN/,
    );
    assert.equal(code, 2);
  });

  test("a configuration file that is not TOML is named in the error where it says where the daemon is", async (t) => {
    const { env, folder } = await fakeDaemon(t);
    mkdirSync(`${folder}/config/paneward`, { recursive: true });
    writeFileSync(`${folder}/config/paneward/config.toml`, "[daemon]\nsocket_path = [");
    const { stderr, code } = await paneward(["ps"], { env });
    assert.match(stderr, /config\.toml is not TOML: /);
    assert.equal(code, 2);
    // The rest of it is for the daemon, which reads it when it starts.
    writeFileSync(`${folder}/config/paneward/config.toml`, "notify = [");
    const other = await paneward(["ps"], { env });
    assert.equal(other.code, 0, other.stderr);
  });
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
