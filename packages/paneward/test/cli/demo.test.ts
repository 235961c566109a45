import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { paneward } from "./support/cli.ts";
import { daemonSandbox } from "./support/own-daemon.ts";

describe("demo", () => {
  test("without git says in one sentence what to install, and makes no project", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const nothing = join(folder, "nothing");
    const { stderr, code } = await paneward(["demo"], { env: { ...env, PATH: nothing } });
    assert.match(stderr, /^paneward: .*git.* is not installed or not on PATH: install git .*\nhint: .*doctor.*\n$/);
    assert.doesNotMatch(stderr, /ENOENT/);
    assert.deepEqual([code, demosIn(folder)], [4, []]);
  });

  test("--auto --clean runs the whole demo on real tmux and git, and leaves nothing behind", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const { stdout, stderr, code } = await paneward(["demo", "--auto", "--clean"], { env });
    assert.equal(code, 0, stdout + stderr);
    const steps = [
      /\$ paneward new /,
      /\$ paneward wait 1 --for needs_input --timeout 60\n1 needs input\n/,
      /\$ paneward questions\nq\d+ {2}task 1 {2}\w+ for .*\n.*Which greeting shall I use\?.*\n {2}1\. Hello\n {2}2\. Good morning/,
      /\$ paneward read 1\n[\s\S]*Which greeting shall I use\?/,
      /\$ paneward explain 1\n1 .*: Waiting for .*\nreported by [\s\S]*WITNESS +AGE +SAYS/,
      /\$ paneward respond 1 --option 1\n\w+: answered\n/,
      /\{"kind":"exited","id":"1","code":0\}/,
      /greeting\.txt/,
      /main advanced by 1 commit /,
    ];
    for (const step of steps) assert.match(stdout, step);
    assert.deepEqual(JSON.parse((await paneward(["ps", "--all", "--json"], { env })).stdout).tasks, []);
    assert.deepEqual(demosIn(folder), []);
  });

  test("--auto prints what the commands print", async (t) => {
    const { env } = daemonSandbox(t);
    const { stdout, code } = await paneward(["demo", "--auto"], { env });
    assert.equal(code, 0);
    const printed = new Map(
      stdout
        .split(/^\$ (?=paneward )/m)
        .map((step) => [step.split("\n", 1)[0] ?? "", step.slice(step.indexOf("\n") + 1)]),
    );
    const lasting = [...printed.keys()].filter((step) => /--since|--for exited/.test(step));
    assert.equal(lasting.length, 2);
    for (const step of lasting) {
      assert.equal((await paneward(wordsOf(step), { env })).stdout.trimEnd(), printed.get(step)?.trimEnd());
    }
  });

  test("without options prints commands to try, and they work as printed", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const { stdout, stderr, code } = await paneward(["demo"], { env });
    assert.equal(code, 0, stderr);
    const steps = [...stdout.matchAll(/^ {2}(paneward .*?) {2,}/gm)].map(([, step]) => step ?? "");
    assert.ok(steps.length >= 8);
    assert.equal(demosIn(folder).length, 1);
    for (const step of steps.filter((one) => !one.includes("attach"))) {
      const ran = await paneward(wordsOf(step), { env });
      assert.equal(ran.code, 0, `${step}\n${ran.stderr}`);
    }
    assert.deepEqual(demosIn(folder), []);
  });

  function demosIn(folder: string): readonly string[] {
    return readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("paneward-demo-"));
  }

  function wordsOf(step: string): readonly string[] {
    return [...step.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
  }
});
