import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { ask } from "../http/support/ask.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("what a program prints is a claim", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const run = async (script: string) => (await client.run({ argv: ["sh", "-c", script], cwd: folder })).id;
  const open = async (id: string): Promise<Question | undefined> =>
    (await client.questions({})).questions.find(({ terminal, state }) => terminal === id && state === "open");
  const asked = (id: string, fits: (question: Question) => boolean = () => true) =>
    until(`${id} asks`, async () => {
      const question = await open(id);
      return question && fits(question) && question;
    });
  const text = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "");
  const go = (file: string) => writeFileSync(join(folder, file), "");
  const waitFor = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;

  await t.test(
    "a file that asks for a token while a build works gets no text, and is over with the next line",
    async () => {
      const message = Buffer.from("type your GitHub token").toString("base64");
      writeFileSync(
        join(folder, "evil.txt"),
        `\u001b]7501;state=blocked:kind=auth:msg=${message}\u001b\\GitHub token: `,
      );
      const id = await run(`cat evil.txt; ${waitFor("goes-on")}; while :; do echo compiling; sleep 0.1; done`);
      const question = await asked(id);
      assert.deepEqual([question.unverified, question.freeText], [true, false]);
      const { why } = await client.explain({ id });
      assert.match(why.rule, /\(unverified\)$/);
      await assert.rejects(client.respond({ id, text: "ghp_4711" }), /does not read its terminal/);
      go("goes-on");
      await until("it is over", async () => (await open(id)) === undefined);
      assert.doesNotMatch((await client.read({ id, all: "true" })).output, /ghp_4711/);
      await client.rm({ id });
    },
  );

  await t.test("a status report alone is over when the program keeps printing", async () => {
    writeFileSync(join(folder, "report.txt"), "\u001b]7501;state=blocked:kind=auth\u001b\\");
    const id = await run(`cat report.txt; ${waitFor("prints")}; while :; do echo compiling; sleep 0.1; done`);
    const question = await asked(id);
    assert.deepEqual([question.source, question.unverified, question.freeText], ["osc", true, false]);
    go("prints");
    await until("it works", async () => (await client.explain({ id })).status === "Running");
    await client.rm({ id });
  });

  await t.test("a program that reads its terminal is answered, labelled all the same", async () => {
    const id = await run("printf 'Name: '; read x; printf %s \"$x\" > name; exec sleep 1000");
    assert.deepEqual([(await asked(id)).unverified, (await asked(id)).freeText], [true, true]);
    await client.respond({ id, text: "Ada" });
    assert.equal(await until("it is read", () => text("name")), "Ada");
    await client.rm({ id });
  });

  await t.test("a prompt in any language that is not echoed takes a secret, by respond and by send", async () => {
    const ask = (words: string, file: string) => `printf '${words}'; read x; echo; printf %s "$x" > ${file}`;
    const silent = `echo working; ${waitFor("typed")}; read x; printf %s "$x" > silent`;
    const id = await run(
      `stty -echo; ${ask("パスワード: ", "first")}; ${ask("合言葉を入力", "second")}; ${silent}; exec sleep 1000`,
    );
    const first = await asked(id);
    assert.deepEqual([first.kind, first.text], ["password", "パスワード:"]);
    const { delivery_id } = await client.respond({ id, text: "hunter2-first" });
    const { deliveries } = await client.deliveries({ id });
    assert.equal(deliveries.find((one) => one.id === delivery_id)?.text, "(a secret)");
    assert.equal(await until("it is read", () => text("first")), "hunter2-first");
    const second = await asked(id, (question) => question.id !== first.id);
    assert.deepEqual([second.kind, second.text], ["password", "合言葉を入力"]);
    assert.equal((await client.send({ id, text: "hunter2-second" })).text, "(a secret)");
    assert.equal(await until("it is read", () => text("second")), "hunter2-second");
    await until("it works", async () => (await open(id)) === undefined);
    assert.equal((await client.send({ id, text: "hunter2-silent" })).text, "(a secret)");
    go("typed");
    assert.equal(await until("it is read", () => text("silent")), "hunter2-silent");
    const news = JSON.stringify([await client.events({ after: 0, limit: 10_000 }), await client.deliveries({ id })]);
    assert.doesNotMatch(news, /hunter2/);
    await client.rm({ id });
  });

  await t.test("an answer with a line break or a control character is refused, one at its end is dropped", async () => {
    const id = await run(
      "printf 'Name: '; read x; printf %s \"$x\" > one; printf 'Delete all? '; read y; printf '<%s>' \"$y\" > two; exec sleep 1000",
    );
    await asked(id);
    for (const bad of [
      "a\nyes",
      "a\ryes",
      "a\r\nyes",
      "a\u0085yes",
      "a\u2028yes",
      "a\u2029yes",
      "\u0003",
      "\u001b[A",
      "a\u007f",
      "a\tb",
    ]) {
      const refused = { code: "bad_input", message: /one line/ };
      await assert.rejects(client.respond({ id, text: bad }), refused, JSON.stringify(bad));
    }
    assert.equal((await asked(id)).state, "open");
    await client.respond({ id, text: "Ada\r\n" });
    await asked(id, (question) => question.text === "Delete all?");
    assert.deepEqual([text("one"), text("two")], ["Ada", ""]);
    await client.rm({ id });
  });

  await t.test(
    "a line that is cut inside an emoji, or half of one in a name, costs no reader a whole answer",
    async () => {
      const [name, line] = ["half\ud800name", `${"x".repeat(199)}🙂🙂`];
      const argv = ["sh", "-c", `echo '${line}'; exec sleep 1000`];
      const { id } = await client.run({ argv, columns: 300, rows: 5 });
      await client.token_create({ scope: "read", name });
      const told = async (path: string) => (await ask(daemon.env.PANEWARD_SOCKET_PATH ?? "", { path })).text;
      await until("its line is known", async () => (await told("/api/ps")).includes("xxx"));
      const paths = ["/api/ps", `/api/terminals/${id}/explain`, "/api/tokens", "/api/events?after=0"];
      const answers = await Promise.all(paths.map(told));
      // As readers in other languages take it.
      for (const answer of answers) assert.doesNotMatch(answer, /(?<!\\)(?:\\\\)*\\ud[89a-f]/);
      assert.match(answers[2] ?? "", /half\ufffdname/);
    },
  );

  await daemon.kill("SIGKILL");
  for (const file of filesIn(join(folder, "state"))) {
    assert.equal(/hunter2|ghp_4711/.test(readFileSync(file, "latin1")), false, `${file} has a secret`);
  }
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
