import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { claude } from "../lab/agents/claude.ts";
import { startBench } from "../lab/bench.ts";
import { until } from "../support/until.ts";

test("the real Claude Code: each answer reaches its own request", { timeout: 600_000 }, async (t) => {
  const { daemon, id, project, becomes, model } = await startBench(t, claude);
  const { client } = daemon;
  const runs = (name: string) => (existsSync(join(project, name)) ? readFileSync(join(project, name), "utf8") : "");
  const asks = (command: string, not?: Question) =>
    until(
      `it asks for ${command}`,
      async () => {
        const question = (await client.questions({})).questions.find(({ terminal }) => terminal === id);
        return question?.proposal?.command === command && question.id !== not?.id ? question : undefined;
      },
      60_000,
    );
  const receipt = async ({ id: question }: Question) => {
    const { deliveries } = await client.deliveries({ id, limit: 20 });
    return deliveries.find((one) => one.question === question)?.reason;
  };

  await t.test("two identical commands at once are two requests: one is approved, one denied with words", async () => {
    await client.send({ id, text: "TWICE: echo once >> twins" });
    const first = await asks("echo once >> twins");
    await client.respond({ id, text: "yes", question: first.id });
    const second = await asks("echo once >> twins", first);
    assert.notEqual(second.request, first.request);
    await assert.rejects(client.respond({ id, option: 1, question: first.id }), { code: "conflict" });
    await until("the first one ran", () => runs("twins") !== "", 60_000);
    await client.respond({ id, deny: "once is enough", question: second.id });
    await becomes("Idle");
    assert.equal(runs("twins"), "once\n");
    for (const question of [first, second]) assert.match((await receipt(question)) ?? "", /hook took it|is gone/);
    const { turns } = await client.turns({ id });
    assert.ok(turns.some(({ actor, text }) => actor === "user" && text === "once is enough"));
  });

  await t.test("a hook that is killed leaves the dialog to keys, and nothing to the next request", async () => {
    await client.send({ id, text: "RUN: echo keys >> by-keys" });
    const question = await asks("echo keys >> by-keys");
    const waiting = () => hookProcesses(daemon.env.PANEWARD_SOCKET_PATH ?? "");
    for (const pid of await until("its hook waits", () => nonEmpty(waiting()), 60_000)) process.kill(pid, "SIGKILL");
    await until("no hook waits", () => waiting().length === 0, 60_000);
    const shown = await until("its dialog is drawn", async () => {
      const open = (await client.questions({})).questions.find(({ terminal }) => terminal === id);
      return open && open.screenHash !== "" ? open : undefined;
    });
    assert.equal(shown.proposal?.command, question.proposal?.command);
    await client.respond({ id, deny: "SAY something else", question: shown.id });
    await until("the words arrive", () => model.prompts.at(-1) === "SAY something else", 60_000);
    await becomes("Idle");
    assert.equal(runs("by-keys"), "");
    await client.send({ id, text: "RUN: echo next >> after-keys" });
    const next = await asks("echo next >> after-keys");
    await client.respond({ id, option: 1, question: next.id });
    await until("it ran", () => runs("after-keys") !== "", 60_000);
    await becomes("Idle");
  });
});

function nonEmpty(pids: readonly number[]): readonly number[] | undefined {
  return pids.length > 0 ? pids : undefined;
}

/** The processes in which hooks wait for this test's daemon. */
function hookProcesses(socket: string): readonly number[] {
  const lines = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, args = ""] = /^\s*(\d+) (curl .*)$/.exec(line) ?? [];
    return args.includes(socket) && args.includes("/hook/permission-request") ? [Number(pid)] : [];
  });
}
