import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("what is typed at a password prompt is kept nowhere", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const ask = (file: string) => `printf '[sudo] password for ${file}: '; read x; echo; printf %s "$x" > ${file}`;
  const script = `stty -echo; ${ask("sent")}; ${ask("said")}; stty echo; echo done; sleep 1000`;
  const { id } = await client.run({ argv: ["sh", "-c", script], cwd: folder });
  const asked = () =>
    until("it asks for a password", async () => {
      const { questions } = await client.questions({});
      return questions.find(({ terminal, kind, state }) => terminal === id && kind === "password" && state === "open");
    });
  const got = (file: string) =>
    until(`${file} was read`, () => existsSync(join(folder, file)) && readFileSync(join(folder, file), "utf8"));

  const first = await asked();
  const receipt = await client.send({ id, text: "hunter2-sent" });
  assert.equal(receipt.text, "(a secret)");
  assert.equal(await got("sent"), "hunter2-sent");
  await until("the second question", async () => (await asked()).id !== first.id);
  await client.respond({ id, text: "hunter2-said" });
  assert.equal(await got("said"), "hunter2-said");

  const told = JSON.stringify([
    await client.events({ after: 0, limit: 10_000 }),
    await client.deliveries({ id }),
    await client.read({ id, all: "true" }),
  ]);
  assert.doesNotMatch(told, /hunter2/);
  await daemon.kill("SIGKILL");
  const files = filesIn(join(folder, "state"));
  assert.ok(files.some((file) => file.endsWith("paneward.db")));
  for (const file of files) assert.equal(readFileSync(file).includes("hunter2"), false, `${file} has the secret`);
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
