import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

const asks = 'printf "Overwrite the file? [y/N] "; read answer; echo "got $answer"; exec cat';

test("questions of programs", async (t) => {
  const daemon = await startDaemon(t);

  async function questionsOf(terminal: string): Promise<readonly PanewardEvent[]> {
    const { events } = await daemon.client.events({ limit: 10_000, types: "question_opened,question_closed" });
    return (events as PanewardEvent[]).filter(
      ({ data }) => (data as { readonly question: { readonly terminal: string } }).question.terminal === terminal,
    );
  }

  await t.test("a prompt opens a question once, wait answers with it, and an answer closes it", async () => {
    const terminal = await daemon.client.run({ argv: ["sh", "-c", asks] });
    const { results } = await daemon.client.wait({ ids: [terminal.id], for: [{ kind: "needs_input" }], timeout: 30 });
    const [waited] = results;
    assert.ok(waited?.kind === "needs_input" && waited.question);
    assert.match(waited.question.text, /Overwrite the file\?/);
    assert.equal(waited.question.kind, "confirm");
    assert.notEqual(waited.question.screenHash, "");
    const { terminals } = await daemon.client.ps({});
    assert.equal(terminals.find(({ id }) => id === terminal.id)?.question?.id, waited.question.id);
    await daemon.client.send({ id: terminal.id, text: "y" });
    await until("the question is closed", async () => (await questionsOf(terminal.id)).length === 2);
    const reported = (await questionsOf(terminal.id)).map(({ type }) => type);
    assert.deepEqual(reported, ["question_opened", "question_closed"]);
    const open = await daemon.client.questions({});
    assert.ok(!open.questions.some(({ id }) => id === waited.question?.id));
  });

  await t.test("the same words on another line are another question, and each is answered by itself", async () => {
    const twice = `stty -echo; for n in 1 2 3; do printf 'Password: '; read x; echo; echo "$x" >> tries; done; exec cat`;
    const { id } = await daemon.client.run({ argv: ["sh", "-c", twice], cwd: daemon.folder });
    const asked = new Set<string>();
    const next = () =>
      until(`question ${asked.size + 1} is open`, async () =>
        (await daemon.client.questions({})).questions.find((one) => one.terminal === id && !asked.has(one.id)),
      );
    for (const words of ["one", "two", "three"]) {
      const question = await next();
      asked.add(question.id);
      const { status } = await daemon.client.respond({ id, text: words, question: question.id });
      assert.equal(status, "ok");
    }
    await until("all is read", () => readFileSync(`${daemon.folder}/tries`, "utf8") === "one\ntwo\nthree\n");
    await until("all are closed", async () => (await questionsOf(id)).length === 6);
  });

  await t.test("prose that speaks of questions opens none", async () => {
    const prose =
      'echo "3 tests confirm that it works (yes or no was asked twice)"; echo "Continue reading?"; exec cat';
    const terminal = await daemon.client.run({ argv: ["sh", "-c", prose] });
    await daemon.client.wait({ ids: [terminal.id], for: [{ kind: "idle" }], timeout: 30 });
    assert.deepEqual(await questionsOf(terminal.id), []);
  });

  await t.test("explain names every witness, and the one that is believed", async () => {
    const terminal = await daemon.client.run({ argv: ["sh", "-c", asks] });
    await daemon.client.wait({ ids: [terminal.id], for: [{ kind: "needs_input" }], timeout: 30 });
    const { status, why, witnesses } = await daemon.client.explain({ id: terminal.id });
    assert.equal(status, "Waiting");
    assert.equal(why.source, "screen");
    assert.deepEqual(
      witnesses.filter(({ used }) => used).map(({ witness }) => witness),
      ["screen"],
    );
    assert.ok(witnesses.some(({ witness }) => witness === "output"));
  });

  await t.test("a bell without a question is an event of its task's terminal and a reason of its own", async () => {
    const terminal = await daemon.client.run({ argv: ["sh", "-c", "printf 'ready\\007\\n'; exec sleep 1000"] });
    const explained = await until("the bell is heard", async () => {
      const found = await daemon.client.explain({ id: terminal.id });
      return found.witnesses.some(({ witness }) => witness === "bell") ? found : undefined;
    });
    assert.ok(explained.witnesses.find(({ witness }) => witness === "bell")?.says.startsWith("needs_input"));
    await daemon.client.stop({ id: terminal.id });
  });

  await t.test(
    "an open question keeps its id over a restart and is not reported again; one that is gone is closed",
    async () => {
      const stays = await daemon.client.run({ argv: ["sh", "-c", asks] });
      // Continues when a file appears, which happens while no daemon watches.
      const goes = await daemon.client.run({
        argv: [
          "sh",
          "-c",
          `printf "Continue? [y/N] "; while ! [ -e ${daemon.folder}/go ]; do sleep 0.1; done; clear; exec cat`,
        ],
      });
      await daemon.client.wait({
        ids: [stays.id, goes.id],
        mode: "all",
        for: [{ kind: "needs_input" }],
        timeout: 30,
      });
      const [opened] = await questionsOf(stays.id);
      await daemon.kill("SIGKILL");
      writeFileSync(`${daemon.folder}/go`, "");
      await daemon.start();
      await until("the one that is gone is closed", async () => (await questionsOf(goes.id)).length === 2);
      const found = await daemon.client.wait({ ids: [stays.id], for: [{ kind: "needs_input" }], timeout: 30 });
      const [waited] = found.results;
      assert.ok(waited?.kind === "needs_input");
      assert.equal(waited.question?.id, opened?.type === "question_opened" && opened.data.question.id);
      await daemon.client.send({ id: stays.id, text: "n" });
      await until("its answer closes it", async () => (await questionsOf(stays.id)).at(-1)?.type === "question_closed");
      assert.equal((await questionsOf(stays.id)).length, 2);
    },
  );
});
