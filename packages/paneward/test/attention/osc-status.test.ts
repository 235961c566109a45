import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

const esc = "\x1b";
const report = (fields: string) => `${esc}]7501;${fields}${esc}\\`;
const message = (text: string) => `msg=${Buffer.from(text).toString("base64")}`;

test("the status that programs report in their output (OSC 7501)", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;

  /** A program that prints what it is given, and nothing else. */
  async function speaker(name: string) {
    const mouth = join(folder, name);
    spawnSync("mkfifo", [mouth]);
    const { id } = await client.run({ argv: ["sh", "-c", 'exec cat <>"$1"', "sh", mouth], cwd: folder });
    const heard = async () => {
      const { status, why, witnesses } = await client.explain({ id });
      return { status, source: why.source, osc: witnesses.find(({ witness }) => witness === "osc") };
    };
    return {
      id,
      print: (text: string) => appendFile(mouth, text),
      heard,
      says: (says: RegExp) => until(`${name} says ${says}`, async () => says.test((await heard()).osc?.says ?? "")),
    };
  }
  const one = await speaker("one");
  const other = await speaker("other");

  await t.test("work is believed in silence, and a wait becomes a question with its words", async () => {
    await one.print(report("state=working:app=build"));
    await until("it works by its own word", async () => {
      const { status, source } = await one.heard();
      return status === "Running" && source === "osc";
    });
    const blocked = report(`state=blocked:app=build:kind=question:${message("Which branch?")}`);
    await one.print(blocked.slice(0, 20));
    await one.print(blocked.slice(20));
    const { question } = await until("it waits", async () => {
      const { questions } = await client.questions({});
      return questions[0] && { question: questions[0] };
    });
    assert.equal(question.terminal, one.id);
    assert.match(question.text, /Which branch\?/);
    const { status, source, osc } = await one.heard();
    assert.deepEqual([status, source, osc?.used], ["Waiting", "osc", true]);
  });

  await t.test("another pane's program has reported nothing", async () => {
    assert.equal((await other.heard()).osc, undefined);
  });

  await t.test("a daemon that was killed knows it again, with its date", async () => {
    await daemon.kill("SIGKILL");
    const killedAt = Date.now();
    await daemon.start();
    await one.says(/^needs_input: its output says .*Which branch\?/);
    const { status, osc } = await one.heard();
    assert.equal(status, "Waiting");
    assert.ok((osc?.at ?? 0) > 0 && (osc?.at ?? 0) <= killedAt, `${osc?.at} and ${killedAt}`);
  });

  await t.test("text that shows a sequence, and broken sequences, report nothing", async () => {
    await other.print("printf '\\033]7501;state=blocked\\033\\\\'\n]7501;state=blocked\x07\n");
    await other.print(`${esc}]7501;state=blocked${esc}[0m\n${esc}]7501;state=blocked:msg=%%\x07`);
    await other.print(`${esc}]7501;state=blocked:app=${"x".repeat(5_000)}\x07`);
    await other.print(report("state=idle"));
    await other.says(/^idle: its output says that it is idle/);
    assert.deepEqual(
      (await client.questions({})).questions.map(({ terminal }) => terminal),
      [one.id],
    );
  });

  await t.test("a withdrawn status is over, and a program that was started again has reported nothing", async () => {
    await one.print(report("state=clear"));
    await one.says(/^unknown: /);
    await until("nothing is asked any more", async () => (await client.questions({})).questions.length === 0);
    await one.print(report("state=working"));
    await one.says(/^working: /);
    await client.restart({ id: one.id });
    await until("nothing is heard of it", async () => (await one.heard()).osc === undefined);
    // The program before may read the pipe in its last moment, and what it reads is lost.
    await until("it prints", async () => {
      await one.print("here again\n");
      return (await client.screen({ id: one.id })).lines.includes("here again");
    });
    await one.print(report("state=done"));
    await one.says(/^idle: its output says that it is done/);
  });
});
