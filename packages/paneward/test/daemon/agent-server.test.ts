import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { PanewardEvent, Question } from "@paneward/sdk";
import { createAgentHttp } from "../../src/system/agent-http.ts";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("an agent that has an HTTP server reports and is answered over it", async (t) => {
  const tasks = scriptedAgent(await temporaryFolder(t), "opencode", { name: "task" });
  const daemon = await startDaemon(t, `[agents.opencode]\ncmd = ${JSON.stringify(tasks.argv)}\n`);
  const { client, folder } = daemon;
  const http = createAgentHttp();

  const begun = async (name: string, variables: Readonly<Record<string, string>> = {}) => {
    const agent = scriptedAgent(folder, "opencode", { name });
    const port = await http.freePort([]);
    const argv = [...agent.argv, "--port", String(port), "--hostname", "127.0.0.1"];
    const env = { OPENCODE_SERVER_PASSWORD: `secret of ${name}`, ...variables };
    const { id } = await client.run({ argv, env, cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    const now = async () => (await client.questions({})).questions.find(({ terminal }) => terminal === id);
    return {
      ...agent,
      id,
      port,
      file: (what: "late" | "hold") => join(folder, `scripted-${name}`, `notes.jsonl.${what}`),
      say: (text: string) => client.send({ id, text }),
      becomes: (status: string) =>
        until(`${name} is ${status}`, async () =>
          (await client.ps({})).terminals.some((one) => one.id === id && one.status === status),
        ),
      /** The question once both witnesses have told of it. */
      asked: () =>
        until(`${name} asks`, async () => {
          const question = await now();
          return question?.request !== undefined && question.screenHash !== "" ? question : undefined;
        }),
      asksNothing: () => until(`${name} asks nothing`, async () => (await now()) === undefined),
      count: (kind: string) => agent.notes().filter((note) => note.kind === kind).length,
    };
  };

  const told = async (terminal: string, types: string) => {
    const { events } = await client.events({ limit: 10_000, types });
    const of = ({ data }: PanewardEvent) => {
      const { terminal: direct, question } = data as { readonly terminal?: string; readonly question?: Question };
      return direct ?? question?.terminal;
    };
    return (events as PanewardEvent[]).filter((event) => of(event) === terminal);
  };

  const receiptOf = async (terminal: string, question: string) => {
    const states = await told(terminal, "delivery_updated");
    const { deliveries } = await client.deliveries({ id: terminal, limit: 50 });
    const mine = deliveries.find((one) => one.question === question)?.id;
    return states.flatMap(({ data }) => {
      const { delivery, state, reason } = data as { delivery: string; state: string; reason?: string };
      return delivery === mine ? [`${state} ${reason ?? ""}`] : [];
    });
  };

  await t.test("a task's is started on a port and with a password of its own, and resumes there", async () => {
    const { root } = makeRepository(daemon);
    const task = await client.new({ root, text: "SAY hello", agent: "opencode" });
    const [, port] =
      /--port (\d+) --hostname 127\.0\.0\.1/.exec((await tasks.noted("ready")).argv?.join(" ") ?? "") ?? [];
    assert.equal((await fetch(`http://127.0.0.1:${port}/path`)).status, 401);
    const first = await until("its conversation is known", async () => {
      const agent = await client.agent({ id: String(task.id) });
      return agent.state === "complete" && agent.session_id !== undefined ? agent : undefined;
    });
    await client.restart({ id: String(task.id) });
    const { argv = [] } = await tasks.noted("ready", 2);
    assert.deepEqual(argv.slice(-2), ["--session", first.session_id]);
    await client.send({ id: String(task.id), text: "RUN: touch from-a-task" });
    const question = await until("it asks over its new stream", async () => {
      const { questions } = await client.questions({});
      return questions.find((one) => one.task === task.id && one.request !== undefined);
    });
    await client.respond({ id: String(task.id), option: 1, question: question.id });
    assert.equal((await tasks.noted("replied")).status, 200);
    await tasks.noted("ran");
    await client.stop({ id: String(task.id) });
  });

  const agent = await begun("talk");

  await t.test(
    "a permission is told once, with its command, by its event; approved over HTTP, no key is pressed",
    async () => {
      await agent.say("RUN: echo once >> approved");
      const question = await agent.asked();
      assert.deepEqual(question.proposal, { tool: "bash", command: "echo once >> approved" });
      const { why, witnesses } = await client.explain({ id: agent.id });
      assert.deepEqual([why.source, /^permission\.asked/.test(why.rule)], ["event_stream", true]);
      assert.ok(witnesses.some(({ witness, used }) => witness === "event_stream" && used));
      await client.respond({ id: agent.id, option: 1, question: question.id });
      await agent.noted("ran");
      await agent.becomes("Idle");
      assert.deepEqual(JSON.parse((await agent.noted("replied")).text ?? ""), { reply: "once" });
      assert.deepEqual(await receiptOf(agent.id, question.id), [
        "submitted over the agent's HTTP",
        "acknowledged the agent took it",
      ]);
      const opened = await told(agent.id, "question_opened,question_closed");
      assert.deepEqual(
        opened.map(({ type }) => type),
        ["question_opened", "question_closed"],
      );
      await assert.rejects(client.respond({ id: agent.id, option: 1, question: question.id }), {
        code: /conflict|wrong/,
      });
      assert.equal(readFileSync(join(folder, "approved"), "utf8"), "once\n");
    },
  );

  await t.test("it is denied, and denied in words", async () => {
    for (const [answer, body] of [
      [{ option: 3 }, { reply: "reject" }],
      [{ deny: "not this one" }, { reply: "reject", message: "not this one" }],
    ] as const) {
      const before = agent.count("replied");
      await agent.say("RUN: touch denied");
      const question = await agent.asked();
      await client.respond({ id: agent.id, ...answer, question: question.id });
      await agent.becomes("Idle");
      assert.deepEqual(JSON.parse((await agent.noted("replied", before + 1)).text ?? ""), body);
    }
    assert.equal(existsSync(join(folder, "denied")), false);
  });

  await t.test("questions are answered by an option, in one's own words and by several", async () => {
    for (const [prompt, answer, body] of [
      ["ASK", { option: 2 }, ["Blue"]],
      ["ASK", { mode: "other", text: "Green" }, ["Green"]],
      ["ASKMANY", { mode: "multi_select", answers: [{ option_indices: [0, 2] }] }, ["Red", "Green"]],
    ] as const) {
      const before = agent.count("replied");
      await agent.say(prompt);
      const question = await agent.asked();
      assert.match(question.text, /Which colors?\?/);
      await client.respond({ id: agent.id, ...answer, question: question.id } as Parameters<typeof client.respond>[0]);
      await agent.becomes("Idle");
      assert.deepEqual(JSON.parse((await agent.noted("replied", before + 1)).text ?? ""), { answers: [body] });
    }
  });

  await t.test(
    "its turn is ended over HTTP; who does not work is left alone, who asks is not interrupted",
    async () => {
      await agent.say("SLOW 600");
      await until("its stream says that it works", async () => {
        const { witnesses } = await client.explain({ id: agent.id });
        return witnesses.some(({ witness, says }) => witness === "event_stream" && says.startsWith("working"));
      });
      assert.deepEqual(await client.interrupt({ id: agent.id }), { id: agent.id, interrupted: true, by: "http" });
      await agent.noted("aborted");
      await agent.becomes("Idle");
      assert.deepEqual(await client.interrupt({ id: agent.id }), { id: agent.id, interrupted: false });
      await agent.say("RUN: touch interrupted");
      const question = await agent.asked();
      await assert.rejects(client.interrupt({ id: agent.id }), { code: "wrong_state" });
      await client.respond({ id: agent.id, option: 3, question: question.id });
      await agent.becomes("Idle");
      assert.equal(agent.count("aborted"), 1);
    },
  );

  await t.test("an answer by a person's key closes the question, and ours comes too late", async () => {
    const before = agent.count("replied");
    await agent.say("RUN: touch by-key");
    const question = await agent.asked();
    await client.send({ id: agent.id, keys: ["Enter"] });
    await agent.becomes("Idle");
    await assert.rejects(client.respond({ id: agent.id, option: 3, question: question.id }), { code: "conflict" });
    assert.equal(existsSync(join(folder, "by-key")), true);
    assert.equal(agent.count("replied"), before);
  });

  await t.test(
    "the daemon is killed after the agent took an answer: it is given once, and nothing is asked any more",
    async () => {
      await agent.say("RUN: echo once >> held");
      const question = await agent.asked();
      writeFileSync(agent.file("hold"), "");
      const ran = agent.count("ran");
      const replied = agent.count("replied");
      const answering = client.respond({ id: agent.id, option: 1, question: question.id }).catch(() => undefined);
      await agent.noted("ran", ran + 1);
      await daemon.kill("SIGKILL");
      await answering;
      rmSync(agent.file("hold"));
      await daemon.start();
      await agent.asksNothing();
      await agent.becomes("Idle");
      assert.equal(agent.count("replied"), replied + 1);
      assert.equal(readFileSync(join(folder, "held"), "utf8"), "once\n");
    },
  );

  await t.test("the daemon is killed before the agent took an answer that was sent: no key is pressed", async () => {
    const [approved, replied, read] = [agent.count("approved"), agent.count("replied"), agent.count("read")];
    await agent.say("RUN: echo once >> late");
    const question = await agent.asked();
    writeFileSync(agent.file("late"), "");
    const answering = client.respond({ id: agent.id, option: 1, question: question.id }).catch(() => undefined);
    const receipt = async () =>
      (await client.deliveries({ id: agent.id, limit: 50 })).deliveries.find((one) => one.question === question.id);
    await agent.noted("read", read + 1);
    assert.equal((await receipt())?.state, "submitted");
    await daemon.kill("SIGKILL");
    await answering;
    await daemon.start();
    await until("nobody knows", async () => /ended while/.test((await receipt())?.reason ?? ""));
    assert.equal((await agent.asked()).state, "open");
    assert.equal(agent.count("approved"), approved);
    rmSync(agent.file("late"));
    await agent.asksNothing();
    await agent.becomes("Idle");
    assert.deepEqual([agent.count("approved"), agent.count("replied")], [approved + 1, replied + 1]);
    assert.equal(readFileSync(join(folder, "late"), "utf8"), "once\n");
  });

  await t.test(
    "what is asked while no daemon runs is found over HTTP and answered there, also after another kill",
    async () => {
      const [replied, asked] = [agent.count("replied"), agent.count("asked")];
      await agent.say("SLOW 1 RUN: echo once >> away");
      await daemon.kill("SIGKILL");
      await agent.noted("asked", asked + 1);
      await daemon.start();
      const question = await agent.asked();
      await daemon.kill("SIGKILL");
      await daemon.start();
      assert.equal((await agent.asked()).id, question.id);
      await client.respond({ id: agent.id, option: 1, question: question.id });
      await agent.becomes("Idle");
      assert.equal(agent.count("replied"), replied + 1);
      assert.equal(readFileSync(join(folder, "away"), "utf8"), "once\n");
    },
  );

  await t.test("another process on its port gets nothing: keys answer", async () => {
    const deaf = await begun("deaf", { SCRIPTED_DEAF: "1" });
    let connections = 0;
    const foreign = createServer(() => {}).on("connection", () => {
      connections += 1;
    });
    foreign.listen(deaf.port, "127.0.0.1");
    await once(foreign, "listening");
    try {
      await deaf.say("RUN: touch by-keys");
      const question = await until("it asks", async () =>
        (await client.questions({})).questions.find(({ terminal }) => terminal === deaf.id),
      );
      // Without its report, nothing proves that its screen shows all of the command.
      const given = { id: deaf.id, option: 1, question: question.id };
      await assert.rejects(client.respond(given), { errorType: "not_whole" });
      await client.respond({ ...given, seen_screen: question.screenHash });
      await deaf.noted("ran");
      await deaf.becomes("Idle");
      await deaf.say("SLOW 600");
      await deaf.becomes("Running");
      assert.equal((await client.interrupt({ id: deaf.id })).by, "keys");
      await deaf.noted("interrupted");
      assert.equal(connections, 0);
    } finally {
      foreign.close();
    }
  });
});
