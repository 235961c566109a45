import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

test("questions are answered in place, in a real terminal", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t));
  const { client, folder } = daemon;
  const pane = await openPane(t, daemon.env, { folder });
  const agent = scriptedAgent(folder, "claude");
  const { id } = await client.run({ argv: [...agent.argv], name: "helper", cwd: folder, columns: 100, rows: 30 });
  await agent.noted("ready");
  await pane.type("paneward\n");
  await pane.shows(`─ ${id} helper`, "0 need you");
  const asked = async (prompt: string, ...shown: readonly (string | RegExp)[]) => {
    await client.send({ id, text: prompt });
    await pane.shows("1 needs you", "a answer");
    await pane.type("a");
    return pane.shows(...shown, "Enter answer");
  };

  await step("permission: the whole command is shown before approval, and then the agent continues", async () => {
    const command = `touch approved && echo ${"long ".repeat(20)}end`;
    await asked(`RUN: ${command}`, `─ permission  ${id} helper ─`, "touch approved", "  1 Yes", "❯ 4 No");
    // A command over several rows is not proved whole: all of the screen is read first, and confirmed.
    await pane.type("1");
    await pane.shows("❯ 1 Yes");
    await pane.press("Enter");
    await pane.shows("lines of it were not shown yet");
    await pane.press("PPage", "PPage");
    await pane.shows(/─ 1-\d+ of \d+: PageDown PageUp ─/);
    // Its screen may have grown since its end was shown.
    await pane.press("NPage", "NPage");
    await pane.shows(/─ \d+-(\d+) of \1: PageDown PageUp ─/);
    await pane.press("Enter");
    await pane.shows("have you read all of it", "y I read it");
    assert.equal(existsSync(join(folder, "approved")), false);
    await pane.type("y");
    await agent.noted("approved");
    await agent.noted("ran");
    assert.equal(existsSync(join(folder, "approved")), true);
    await pane.shows("0 need you", /respond \S+: answered/, "q quit");
  });

  await step("another option by its number: the agent gets the refusal", async () => {
    await asked("RUN: touch denied", `─ permission  ${id} helper ─`, "touch denied");
    await pane.type("4");
    await pane.shows("❯ 4 No");
    await pane.press("Enter");
    await agent.noted("denied");
    assert.equal(existsSync(join(folder, "denied")), false);
    await pane.shows("0 need you");
  });

  await step("free text", async () => {
    await asked("ASK", `─ choose one  ${id} helper ─`, "your answer:");
    await pane.type("Green, please");
    await pane.shows("❯ your answer: Green, please");
    await pane.press("Enter");
    const { answer } = await agent.noted("answered");
    assert.deepEqual([answer?.kind, answer?.text], ["text", "Green, please"]);
    await pane.shows("0 need you");
  });

  await step("a multiple choice", async () => {
    await asked("ASKMANY", `─ choose  ${id} helper ─`, "[ ] Red", "[ ] Green", "Space tick");
    await pane.press("Enter");
    await pane.shows("no option is ticked");
    await pane.press("Space", "Down", "Down", "Space");
    await pane.shows("[x] Red", "[ ] Blue", "[x] Green");
    await pane.press("Enter");
    const { answer } = await agent.noted("answered", 2);
    assert.deepEqual(answer, { kind: "options", indices: [0, 2] });
    await pane.shows("0 need you");
  });

  await step("Escape leaves it open; a question answered elsewhere closes with a message", async () => {
    await asked("RUN: touch elsewhere", `─ permission  ${id} helper ─`);
    await pane.press("Escape");
    await pane.shows("q quit", "1 needs you");
    await pane.type("a");
    await pane.shows(`─ permission  ${id} helper ─`);
    const [open] = (await client.questions({})).questions;
    await client.respond({ id, option: 1, question: open?.id });
    await pane.shows("the question was answered elsewhere", "0 need you", "q quit");
    await agent.noted("ran", 2);
    // A key clears the message, and the line shows again what needs the user.
    await pane.press("Escape");
  });

  await step("a plain program's yes or no", async () => {
    const script = 'printf "Overwrite the file? [y/N] "; read answer; echo "got $answer"; exec cat';
    await client.run({ argv: ["sh", "-c", script], name: "asking", cwd: folder });
    await pane.shows("1 needs you", /! t\d+ asking asks yes or no: .*Overwrite the file\?/);
    await pane.press("Tab");
    await pane.type("a");
    await pane.shows(/─ yes or no {2}t\d+ asking ─/, "Overwrite the file?");
    await pane.type("y");
    await pane.press("Enter");
    await pane.shows("got y", "0 need you");
  });

  await step("a password is drawn as dots, arrives, and is stored nowhere", async () => {
    const script =
      'stty -echo; printf "Password: "; read secret; stty echo; echo "$secret" > given; echo; echo thanks; exec cat';
    await client.run({ argv: ["sh", "-c", script], name: "login", cwd: folder });
    await pane.shows("1 needs you", /! t\d+ login asks for a password/);
    await pane.press("Tab");
    await pane.type("a");
    await pane.shows(/─ a password {2}t\d+ login ─/, "the password:");
    const secret = "xyzzy-4711-plugh";
    await pane.type(secret);
    await pane.shows("❯ the password: ••••••••••••••••");
    await pane.press("Enter");
    await pane.shows("thanks", "0 need you", /respond t\d+: answered/);
    assert.equal(readFileSync(join(folder, "given"), "utf8"), `${secret}\n`);
    rmSync(join(folder, "given"));
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
    await daemon.kill("SIGTERM");
    assert.doesNotMatch(await pane.everything(), /xyzzy/);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    assert.ok(files.some(({ name }) => name === "paneward.db"));
    for (const { parentPath, name } of files) {
      assert.ok(!readFileSync(join(parentPath, name)).includes("xyzzy"), `the password is in ${parentPath}/${name}`);
    }
  });
});
