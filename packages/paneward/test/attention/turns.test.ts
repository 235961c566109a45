import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("what is said to an agent and by it is one turn each, by whatever ways it is known", async (t) => {
  const folder = await temporaryFolder(t);
  const [claude, codex] = [scriptedAgent(folder, "claude"), scriptedAgent(folder, "codex")];
  const settings = ({ kind, file }: typeof claude, hooks: boolean) =>
    `[agents.${kind}]\ncmd = ${JSON.stringify([file])}\nhooks = ${hooks}\n`;
  const daemon = await startDaemon(t, settings(claude, true) + settings(codex, false));
  const { client } = daemon;
  // A look may miss work that is over at once, but never a dialog.
  const next = ["SAY hello", "agent completion: ● hello"] as const;
  const asking = ["RUN: touch more", "agent question: shell: touch more"] as const;

  for (const [ways, agent, end, then, restarts] of [
    ["by hooks and the screen", "claude", "● Bash(touch made)", next, false],
    ["by hooks and the screen, with a daemon that is killed in between", "claude", "● Bash(touch made)", next, true],
    ["by the screen alone", "codex", "", asking, false],
  ] as const) {
    await t.test(ways, async () => {
      const { root } = makeRepository(daemon, `${agent}-${restarts}`);
      const { terminal: id = "" } = await client.new({ root, text: "RUN: touch made", agent });
      const said = async () =>
        (await client.turns({ id })).turns.map(({ actor, intent, text }) => `${actor} ${intent}: ${text}`);
      const isSaid = (wanted: readonly string[]) =>
        until(
          "all is said",
          async () => (await said()).length >= wanted.length && (await said()).at(-1) === wanted.at(-1),
        ).catch(async () => assert.deepEqual(await said(), wanted));
      const restart = async () => {
        if (!restarts) return;
        await daemon.kill("SIGKILL");
        await daemon.start();
      };
      const question = await until("it asks with its options", async () =>
        (await client.questions({})).questions.find((one) => one.terminal === id && one.options.length > 0),
      );
      await restart();
      await client.respond({ id, option: 1 });
      const { tool = "" } = question.proposal ?? {};
      const first = [
        "user command: RUN: touch made",
        `agent question: ${tool === "" ? "" : `${tool}: `}touch made`,
        `user answer: ${question.options[0]?.label}`,
        `agent completion: ${end}`,
      ];
      await isSaid(first);
      await restart();
      await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 30 });
      await client.send({ id, text: then[0], ack: 30 });
      const all = [...first, `user command: ${then[0]}`, then[1]];
      await isSaid(all);
      await client.wait({ ids: [id], for: [{ kind: "idle" }, { kind: "needs_input" }], timeout: 30 });
      assert.deepEqual(await said(), all);
    });
  }
});
