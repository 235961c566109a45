import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { paneward } from "./support/cli.ts";
import { daemonSandbox } from "./support/own-daemon.ts";

describe("demo", () => {
  test("--auto --clean runs the whole demo on real tmux and git, and leaves nothing behind", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const { stdout, stderr, code } = await paneward(["demo", "--auto", "--clean"], { env });
    assert.equal(code, 0, stdout + stderr);
    const steps = [
      /\$ paneward new /,
      /\$ paneward questions\n.*Which greeting shall I use\?\n {2}1\. Hello\n {2}2\. Good morning/,
      /\$ paneward read 1\n[\s\S]*Which greeting shall I use\?/,
      /Waiting, reported by /,
      /\$ paneward respond 1 --option 1\n.* is processing/,
      /\{"kind":"exited","id":"1","code":0\}/,
      /greeting\.txt/,
      /main advanced by 1 commit /,
    ];
    for (const step of steps) assert.match(stdout, step);
    assert.deepEqual(JSON.parse((await paneward(["ps", "--all", "--json"], { env })).stdout).tasks, []);
    assert.deepEqual(demosIn(folder), []);
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
