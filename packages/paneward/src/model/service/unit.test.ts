import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ServicePlan, variablesFor } from "./plan.ts";
import { readUnit, unitText, unitWithoutVariables } from "./unit.ts";

const plan: ServicePlan = {
  argv: ["/opt/my node/bin/node", "--conditions=@paneward/source", "/src/main.ts", "daemon", "run"],
  env: { PATH: "/usr/bin:/home/me/100%/bin", PANEWARD_HOME: '/home/me/a "b" $c\\d' },
  home: "/home/me/state",
  socket: "/run/user/1000/paneward/daemon.sock",
  log: "/home/me/state of %/daemon.log",
  environmentFile: "/home/me/.config/paneward/environment",
  version: "0.1.0",
};

describe("the unit", () => {
  const lines = unitText(plan).split("\n");

  test("is ready when the daemon says so, comes back after a failure, and begins with the manager", () => {
    for (const line of [
      "Type=notify",
      "NotifyAccess=all",
      "Restart=on-failure",
      "KillMode=process",
      "WantedBy=default.target",
    ])
      assert.ok(lines.includes(line), line);
  });

  test("does not fight with another daemon: its exit code is no reason to start again", () => {
    const [, codes = ""] = /^RestartPreventExitStatus=(.*)$/m.exec(unitText(plan)) ?? [];
    assert.ok(codes.split(" ").includes("6"), codes);
  });

  test("quotes what systemd would interpret", () => {
    assert.ok(
      lines.includes('ExecStart="/opt/my node/bin/node" "--conditions=@paneward/source" "/src/main.ts" "daemon" "run"'),
    );
    assert.ok(lines.includes('Environment="PATH=/usr/bin:/home/me/100%%/bin"'));
    // `$` is replaced in command lines only.
    assert.ok(lines.includes('Environment="PANEWARD_HOME=/home/me/a \\"b\\" $c\\\\d"'));
    assert.ok(lines.includes("StandardError=append:/home/me/state of %%/daemon.log"));
    const dollar = unitText({ ...plan, argv: ["/bin/node", "/a$b"] });
    assert.match(dollar, /^ExecStart="\/bin\/node" "\/a\$\$b"$/m);
  });

  test("is the same for a shell with another PATH, and another one for another program", () => {
    const same = (other: Partial<ServicePlan>) =>
      unitWithoutVariables(unitText({ ...plan, ...other })) === unitWithoutVariables(unitText(plan));
    assert.ok(same({ env: { PATH: "/venv/bin:/bin", LANG: "C" } }));
    assert.ok(same({ version: "0.2.0" }), "updated in place");
    assert.ok(!same({ argv: ["/other/node", "daemon", "run"] }));
  });

  test("is refused with a line break, which would begin another setting", () => {
    const env = { PATH: "/bin\nExecStartPre=/bin/evil" };
    assert.throws(() => unitText({ ...plan, env }), {
      code: "bad_input",
      message: /control character: "PATH=\/bin\\nExec/,
    });
  });

  test("says what it runs, and another one says nothing", () => {
    const { version, home, socket } = plan;
    assert.deepEqual(readUnit(unitText(plan)), { version, home, socket, program: plan.argv.join(" ") });
    assert.equal(readUnit("[Service]\nExecStart=/usr/local/bin/paneward daemon run\n"), undefined);
  });
});

test("only variables that name places, programs and languages are written down", () => {
  const env = {
    ...{ PATH: "/bin", LANG: "C.UTF-8", LC_ALL: "C", XDG_STATE_HOME: "/s", PANEWARD_HOME: "/h", SHELL: "/bin/zsh" },
    ...{ ANTHROPIC_API_KEY: "secret", PANEWARD_TOKEN: "secret", XDG_RUNTIME_DIR: "/run/user/1", TMUX: "x", TERM: "x" },
    ...{ PANEWARD_NO_AUTOSTART: "1", XDG_SESSION_ID: "3", HTTPS_PROXY: "http://me:secret@proxy", XDG_DATA_HOME: "" },
  };
  assert.deepEqual(Object.keys(variablesFor(env)), [
    "LANG",
    "LC_ALL",
    "PANEWARD_HOME",
    "PATH",
    "SHELL",
    "XDG_STATE_HOME",
  ]);
});
