import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../../support/daemon.ts";
import { afterwards } from "../../support/folder.ts";
import { makeRepository } from "../../support/repository.ts";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import { startModel } from "../model/server.ts";

/** A task's agent, started with its prompt: what the task says, its hooks and its screen tell is one turn each. */
export function launchedWithPrompt(lab: LabAgent, prompt: string): void {
  test(`${lab.name}, started with its prompt`, { timeout: 300_000 }, async (t) => {
    const model = await startModel();
    afterwards(t, () => model.close());
    const daemon = await startDaemon(t);
    const { client, folder } = daemon;
    const { root, write, trust } = makeRepository(daemon);
    const place = { home: folder, project: root, model: model.url };
    lab.settle(place);
    const variables = Object.entries({ HOME: folder, ...lab.env(place) }).map(([name, value]) => `${name}=${value}`);
    const cmd = JSON.stringify(["env", ...variables, ...lab.argv(place)]);
    write(".paneward/config.toml", `[agents.${lab.name}]\ncmd = ${cmd}\n`);
    await trust();
    const { terminal: id = "" } = await client.new({ root, text: prompt, agent: lab.name });
    const said = async () => {
      const { turns } = await client.turns({ id });
      return turns.map(({ actor, intent, text }) => `${actor} ${intent}: ${text}`);
    };
    const ends = (text: RegExp) => until(`it says ${text}`, async () => text.test((await said()).at(-1) ?? ""), 60_000);
    const question = await until(
      "it asks with its options",
      async () => (await client.questions({})).questions.find(({ options }) => options.length > 0),
      60_000,
    );
    await client.respond({ id, option: 1, question: question.id });
    await ends(/^agent completion: It gave/);
    await client.send({ id, text: "and now rest", ack: 60 });
    await ends(/^agent completion: You said: and now rest/);
    await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 60 });
    const turns = await said();
    for (const line of turns) t.diagnostic(`${lab.name}: ${line}`);
    assert.deepEqual(
      turns.map((line) => line.replace(/:.*/s, "")),
      ["user command", "agent question", "user answer", "agent completion", "user command", "agent completion"],
    );
  });
}
