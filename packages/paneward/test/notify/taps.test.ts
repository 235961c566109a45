import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { startDesktop } from "./support/desktop.ts";
import { json, type Received, startSink } from "./support/sink.ts";

interface Update {
  readonly update_id: number;
  readonly callback_query: object;
}

test("a press of a button", async (t) => {
  const updates: Update[] = [];
  const telegram = await startSink(t, ({ path, body }, response) => {
    if (path.endsWith("/getUpdates"))
      json(response, 200, { ok: true, result: updates.filter((one) => one.update_id >= Number(body.offset)) });
    else json(response, 200, { ok: true, result: { message_id: telegram.received.length } });
  });
  const listeners: ServerResponse[] = [];
  const ntfy = await startSink(t, ({ method, path, text }, response) => {
    const line = (event: string, id: string) =>
      `${JSON.stringify({ id, time: 1, event, topic: "replies", message: text })}\n`;
    if (method === "GET") {
      listeners.push(response.writeHead(200));
      response.write(line("open", "o"));
      return;
    }
    if (path === "/replies") for (const one of listeners) one.write(line("message", `m${ntfy.received.length}`));
    json(response, 200, { id: "m" });
  });
  const hook = await startSink(t, ({ path }, response) => void response.writeHead(path === "/in" ? 204 : 401).end());
  const desk = await startDesktop(t);
  const daemon = await startDaemon(
    t,
    `[notify]
dwell_seconds = 0
[notify.channels.chat]
kind = "telegram"
text = "full"
token = "123:do-not-print-this"
chat = 42
server = "${telegram.url}"
[notify.channels.topic]
kind = "ntfy"
text = "full"
topic = "alerts-do-not-print"
answers = "replies"
server = "${ntfy.url}"
[notify.channels.hook]
kind = "webhook"
text = "full"
url = "${hook.url}/in"
[notify.channels.desk]
kind = "desktop"
`,
    { DBUS_SESSION_BUS_ADDRESS: desk.env.DBUS_SESSION_BUS_ADDRESS },
  );
  const { client } = daemon;
  const ask = async (name: string) => {
    const script = 'printf "Deploy %s? [y/n] " "$0"; read answer; echo "you said $answer"; sleep 60';
    const argv = ["sh", "-c", script, name];
    return client.run({ argv, name });
  };
  const isAnswered = async (name: string, answer: string) =>
    (await client.screen({ id: name })).lines.some((line) => line.includes(`you said ${answer}`));
  const about = (received: readonly Received[], name: string) =>
    received.filter(({ text }) => text.includes(`Deploy ${name}?`));
  const buttons = (
    received: Received | undefined,
    path: readonly string[],
  ): readonly { readonly [key: string]: string }[] => {
    const found = path.reduce<unknown>((body, key) => Object(body)[key], received?.body);
    return (found as readonly unknown[]).flat() as readonly { readonly [key: string]: string }[];
  };
  await ask("other");
  const isUntouched = async () =>
    (await client.questions({})).questions.some(({ terminal, text }) => text.includes("other") && terminal !== "");

  await t.test("in Telegram answers the question that was shown, and the message says so afterwards", async () => {
    await ask("one");
    const shown = await until("it is told", () => about(telegram.received, "one")[0]);
    const [, no] = buttons(shown, ["reply_markup", "inline_keyboard"]);
    const press = (id: number) =>
      updates.push({
        update_id: id,
        callback_query: { id: `c${id}`, data: no?.callback_data, message: { chat: { id: 42 } } },
      });
    press(1);
    await until("it is answered", () => isAnswered("one", "n"));
    const edited = await until("the message is edited", () =>
      about(telegram.received, "one").length === 0
        ? undefined
        : telegram.received.find(({ path }) => path.endsWith("/editMessageText")),
    );
    assert.match(String(edited.body.text), /answered by channel:chat/);
    press(2);
    const answers = () =>
      telegram.received.filter(({ path }) => path.endsWith("/answerCallbackQuery")).map(({ body }) => body.text);
    await until("the second press is answered too", () => answers().length === 2);
    assert.deepEqual(answers(), ["Answered: no", "this question is closed: answered by channel:chat"]);
    assert.ok(await isUntouched());
  });

  await t.test("in ntfy answers through the second topic, without any way in from outside", async () => {
    await ask("two");
    const shown = await until("it is told", () => about(ntfy.received, "two")[0]);
    const [yes] = buttons(shown, ["actions"]);
    assert.equal(yes?.url, `${ntfy.url}/replies`);
    await fetch(String(yes?.url), { method: "POST", body: String(yes?.body) });
    await until("it is answered", () => isAnswered("two", "y"));
    assert.ok(await isUntouched());
  });

  await t.test("on the desktop answers through its own daemon", async () => {
    await ask("three");
    await until("it is told elsewhere", () => about(hook.received, "three")[0]);
    await until("it is shown", () => desk.displayed() >= 2);
    desk.choose("no", "three asks yes or no");
    await until("it is answered", () => isAnswered("three", "n"));
    assert.ok(await isUntouched());
  });

  await t.test("over HTTP needs nothing but its capability, works once, and says why not", async () => {
    await ask("four");
    const shown = await until("it is told", () => about(hook.received, "four")[0]);
    const [yes] = buttons(shown, ["data", "buttons"]);
    const press = async (tap: string) => {
      const body = JSON.stringify({ tap });
      const response = await fetch(`http://127.0.0.1:${daemon.port}/tap`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      return [response.status, ((await response.json()) as { readonly words?: string }).words];
    };
    assert.deepEqual(await press("x".repeat(32)), [409, "this button is not known any more"]);
    assert.deepEqual(await press(yes?.tap ?? ""), [200, "Answered: yes"]);
    assert.ok(await isAnswered("four", "y"));
    assert.deepEqual(await press(yes?.tap ?? ""), [409, "this question is closed: answered by channel:hook"]);
    assert.ok(await isUntouched());
  });

  await t.test("is in the audit with the channel's name, and no secret is anywhere", async () => {
    const { entries } = await client.audit({});
    const taps = entries
      .filter(({ operation }) => operation === "respond")
      .map(({ who, door, outcome }) => `${who} ${door} ${outcome}`);
    for (const one of [
      "channel:chat telegram ok",
      "channel:topic ntfy ok",
      "channel:desk desktop ok",
      "channel:hook webhook ok",
    ]) {
      assert.ok(taps.includes(one), `${one} in ${taps.join(", ")}`);
    }
    const log = readFileSync(join(daemon.folder, "state", "daemon.log"), "utf8");
    const config = JSON.stringify(await client.config({}));
    const listed = JSON.stringify([
      await client.notify_list({}),
      await client.notify_history({}),
      await client.events({}),
      await client.doctor({}),
    ]);
    for (const text of [log, config, listed]) assert.doesNotMatch(text, /do-not-print/);
    assert.match(config, /"token":"\(secret\)"/);
    assert.match(
      listed,
      /config\.toml holds secrets \(chat\.token, topic\.topic, topic\.answers\) and others can read it/,
    );
  });

  await t.test(
    "a channel that does not work, and one that there is not, are named by `config` and `doctor`",
    async () => {
      const channel = (name: string, url: string) => `[notify.channels.${name}]\nkind = "slack"\nurl = "${url}"\n`;
      const away = "http://away.invalid:81/do-not-print";
      appendFileSync(
        join(daemon.folder, "config", "paneward", "config.toml"),
        `${channel("wrong", `${hook.url}/do-not-print`)}${channel("away", away)}[notify.channels.odd]\nkind = "pigeon"\n[[notify.rules]]\nchannels = ["nobody"]\n`,
      );
      assert.equal((await client.notify_test({ id: "wrong" })).outcome, "failed");
      await assert.rejects(client.notify_test({ id: "odd" }), {
        code: "not_found",
        hint: /channels\.odd\.kind is unknown/,
      });
      const { warnings } = await client.config({});
      const { checks } = await client.doctor({});
      const notices = checks.find(({ name }) => name === "notices");
      assert.equal(notices?.ok, false);
      for (const words of [warnings.join("\n"), String(notices?.detail)]) {
        assert.match(words, /a rule names the channel "nobody", which is not configured/);
        assert.match(words, /the channel wrong does not work: answered with 401/);
        assert.match(words, /the channel away cannot reach away\.invalid/);
        assert.doesNotMatch(words, /do-not-print/);
      }
      // Nothing else stops.
      assert.equal((await client.notify_test({ id: "hook" })).outcome, "sent");
    },
  );
});
