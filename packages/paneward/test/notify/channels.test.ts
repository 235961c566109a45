import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Outcome } from "../../src/model/notify/message.ts";
import { channelKind } from "../../src/notify/channels.ts";
import { Listening } from "../../src/notify/listening.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { type Answer, json, type Received, startSink } from "./support/sink.ts";
import { asked, over, realTools } from "./support/tools.ts";

interface Service {
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
  /** How the service answers when it takes a notice. */
  readonly takes: Answer;
  readonly sent: Extract<Outcome, { readonly kind: "sent" }>;
  /** How it says that there are too many, and how long to wait. */
  readonly tooMany: Answer;
  readonly pauseMs: number;
  readonly request: { readonly path: string; readonly body: object };
}

const slackText =
  "*fix-login asks for permission*\nRun &lt;this&gt; &amp; *that*?\nnpm test\n<https://box.example.org/#/task/3|Open>";

/** As the services' documentation shows requests and answers. */
const services: Readonly<Record<string, Service>> = {
  ntfy: {
    settings: (url) => ({ server: url, topic: "alerts", answers: "replies" }),
    takes: (_received, response) =>
      json(response, 200, { id: "hwQ2YpKdmg", time: 1, expires: 2, event: "message", topic: "alerts", message: "…" }),
    sent: { kind: "sent", said: "message hwQ2YpKdmg", ref: "hwQ2YpKdmg" },
    tooMany: (_received, response) =>
      json(
        response,
        429,
        { code: 42901, http: 429, error: "limit reached: too many requests" },
        { "retry-after": "7" },
      ),
    pauseMs: 7_000,
    request: {
      path: "/",
      body: {
        ...{
          topic: "alerts",
          title: asked.title,
          message: asked.body,
          priority: 4,
          sequence_id: asked.tag,
          click: asked.link,
        },
        actions: asked.buttons.map(({ label, tap }) => ({
          action: "http",
          label,
          url: "SINK/replies",
          method: "POST",
          clear: true,
          body: tap,
        })),
      },
    },
  },
  telegram: {
    settings: (url) => ({ server: url, token: "123:secret-token", chat: "42" }),
    takes: (_received, response) =>
      json(response, 200, { ok: true, result: { message_id: 7, chat: { id: 42 }, date: 1, text: "…" } }),
    sent: { kind: "sent", said: "message 7", ref: "7" },
    tooMany: (_received, response) =>
      json(response, 429, {
        ok: false,
        error_code: 429,
        description: "Too Many Requests: retry after 5",
        parameters: { retry_after: 5 },
      }),
    pauseMs: 5_000,
    request: {
      path: "/bot123:secret-token/sendMessage",
      body: {
        ...{
          chat_id: "42",
          text: `${asked.title}\n\n${asked.body}`,
          link_preview_options: { is_disabled: true },
          disable_notification: false,
        },
        reply_markup: {
          inline_keyboard: [
            ...asked.buttons.map(({ label, tap }) => [{ text: label, callback_data: tap }]),
            [{ text: "Open", url: asked.link }],
          ],
        },
      },
    },
  },
  slack: {
    settings: (url) => ({ url: `${url}/services/T0/B0/secret-path` }),
    takes: (_received, response) => void response.writeHead(200).end("ok"),
    sent: { kind: "sent", said: "ok" },
    tooMany: (_received, response) => void response.writeHead(429, { "retry-after": "30" }).end("rate_limited"),
    pauseMs: 30_000,
    request: { path: "/services/T0/B0/secret-path", body: { text: slackText, unfurl_links: false } },
  },
  discord: {
    settings: (url) => ({ url: `${url}/api/webhooks/1/secret-path` }),
    takes: (_received, response) => json(response, 200, { id: "1100", type: 0, content: "…", channel_id: "9" }),
    sent: { kind: "sent", said: "message 1100", ref: "1100" },
    tooMany: (_received, response) =>
      json(
        response,
        429,
        { message: "You are being rate limited.", retry_after: 0.65, global: false },
        { "retry-after": "1" },
      ),
    pauseMs: 650,
    request: {
      path: "/api/webhooks/1/secret-path?wait=true",
      body: {
        content:
          "**fix\\-login asks for permission**\nRun \\<this\\> & \\*that\\*?\nnpm test\n<https://box.example.org/#/task/3>",
        allowed_mentions: { parse: [] },
      },
    },
  },
  pushover: {
    settings: (url) => ({ server: url, token: "secret-app", user: "secret-user" }),
    takes: (_received, response) =>
      json(response, 200, { status: 1, request: "647d2300", receipt: "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy" }),
    sent: { kind: "sent", said: "request 647d2300", ref: "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy" },
    tooMany: (_received, response) =>
      json(response, 429, { status: 0, errors: ["application has exceeded its limit"] }, { "retry-after": "60" }),
    pauseMs: 60_000,
    request: {
      path: "/1/messages.json",
      body: {
        ...{
          token: "secret-app",
          user: "secret-user",
          title: asked.title,
          message: asked.body,
          priority: "2",
          retry: "60",
        },
        ...{ expire: "3600", timestamp: "1795000000", url: asked.link, url_title: "Open" },
      },
    },
  },
  webhook: {
    settings: (url) => ({
      url: `${url}/in`,
      secret: `whsec_${Buffer.from("a key of 24 bytes or more").toString("base64")}`,
    }),
    takes: (_received, response) => void response.writeHead(204).end(),
    sent: { kind: "sent", said: "answered with 204", ref: asked.tag },
    tooMany: (_received, response) => void response.writeHead(429, { "retry-after": "3" }).end(),
    pauseMs: 3_000,
    request: {
      path: "/in",
      body: (({ tag, ...data }) => ({
        type: "notice",
        timestamp: "2026-11-18T11:06:40.000Z",
        data: { id: tag, ...data },
      }))(asked),
    },
  },
};

for (const [name, service] of Object.entries(services)) {
  describe(name, () => {
    const kind = channelKind(name);
    assert.ok(kind);
    const send = (url: string, giveUp?: AbortSignal) =>
      kind.send(asked, { settings: service.settings(url) }, realTools({}, giveUp));

    test("sends what the service's documentation asks for, and reads what it answers", async (t) => {
      const sink = await startSink(t, service.takes);
      assert.deepEqual(await send(sink.url), service.sent);
      assert.equal(sink.received[0]?.path, service.request.path);
      assert.deepEqual(
        sink.received[0]?.body,
        JSON.parse(JSON.stringify(service.request.body).replaceAll("SINK", sink.url)),
      );
    });

    test("waits as long as the service asks for", async (t) => {
      const sink = await startSink(t, service.tooMany);
      const outcome = await send(sink.url);
      assert.equal(outcome.kind, "later", outcome.said);
      assert.equal("afterMs" in outcome && outcome.afterMs, service.pauseMs);
    });

    const failures: readonly (readonly [
      string,
      (...given: [...Parameters<Answer>, AbortController]) => void,
      Partial<Outcome>,
    ])[] = [
      name === "webhook"
        ? [
            "a receiver that refuses is tried again, as Standard Webhooks ask for",
            (_received, response) => json(response, 404, {}),
            { kind: "later" },
          ]
        : [
            "a key that is not taken is not tried again",
            (_received, response) => json(response, 401, { description: "Unauthorized" }),
            { kind: "refused" },
          ],
      [
        "an address that is gone is known as gone",
        (_received, response) => json(response, 410, {}),
        { kind: "refused", gone: true },
      ],
      [
        "a service that is down is tried again",
        (_received, response) => void response.writeHead(503).end(),
        { kind: "later" },
      ],
      [
        "a gateway that gave up may have passed it on",
        (_received, response) => void response.writeHead(504).end(),
        { kind: "unknown" },
      ],
      [
        "no answer in time may have been a success",
        (_received, _response, giveUp) => giveUp.abort(),
        { kind: "unknown" },
      ],
      [
        "a connection that breaks may have been a success",
        (_received, response) => void response.destroy(),
        { kind: "unknown" },
      ],
    ];
    for (const [what, answer, expected] of failures) {
      test(what, async (t) => {
        const giveUp = new AbortController();
        const sink = await startSink(t, (received, response) => answer(received, response, giveUp));
        const { said: _said, ...outcome } = await send(sink.url, giveUp.signal);
        assert.deepEqual({ ...expected, ...outcome }, { ...outcome, ...expected });
      });
    }

    if (name !== "webhook") {
      test("a page that is not the service's answer is no success", async (t) => {
        const sink = await startSink(
          t,
          (_received, response) =>
            void response.writeHead(200, { "content-type": "text/html" }).end("<p>Please log in</p>"),
        );
        assert.equal((await send(sink.url)).kind, "unknown");
      });
    }

    test("a service that cannot be reached was not sent anything", async () => {
      assert.equal((await send("http://127.0.0.1:9")).kind, "later");
    });
  });
}

describe("what is over", () => {
  const cases: readonly (readonly [
    string,
    string,
    string,
    (body: Readonly<Record<string, unknown>>) => unknown,
    unknown,
  ])[] = [
    [
      "telegram",
      "POST",
      "/bot123:secret-token/editMessageText",
      ({ text, message_id }) => [text, message_id],
      [`${asked.title}\n\n${over.over}`, 7],
    ],
    [
      "discord",
      "PATCH",
      "/api/webhooks/1/secret-path/messages/7",
      ({ content }) => String(content).includes("answered by uid\\:1000"),
      true,
    ],
    [
      "ntfy",
      "POST",
      "/",
      ({ message, sequence_id, actions }) => [message, sequence_id, actions],
      [over.over, asked.tag, undefined],
    ],
    ["pushover", "POST", "/1/receipts/7/cancel.json", ({ token }) => token, "secret-app"],
    ["webhook", "POST", "/in", ({ type }) => type, "notice.over"],
  ];
  for (const [name, method, path, of, expected] of cases) {
    test(`is said by ${name}`, async (t) => {
      const service = services[name];
      const sink = await startSink(t, (received, response) => service?.takes(received, response));
      const to = { settings: service?.settings(sink.url) ?? {}, ref: "7" };
      const outcome = await channelKind(name)?.change?.("withdraw", over, to, realTools());
      assert.equal(outcome?.kind, "sent", JSON.stringify(outcome));
      const [{ method: used, path: at, body } = { method: "", path: "", body: {} }] = sink.received;
      assert.deepEqual([used, at, of(body)], [method, path, expected]);
    });
  }
});

test("a webhook is signed as Standard Webhooks describe, and a repetition has the same id", async (t) => {
  const service = services.webhook as Service;
  const sink = await startSink(t, service.takes);
  for (let sent = 0; sent < 2; sent++)
    await channelKind("webhook")?.send(asked, { settings: service.settings(sink.url) }, realTools());
  const [first, second] = sink.received;
  assert.ok(first && second);
  assert.equal(first.headers["webhook-id"], second.headers["webhook-id"]);
  const signed = `${first.headers["webhook-id"]}.${first.headers["webhook-timestamp"]}.${first.text}`;
  const expected = createHmac("sha256", "a key of 24 bytes or more").update(signed).digest("base64");
  assert.equal(first.headers["webhook-signature"], `v1,${expected}`);
});

test("a key that signs nothing is refused before anything is sent, with how to make one", async (t) => {
  const sink = await startSink(t, (_received, response) => void response.writeHead(204).end());
  for (const secret of ["whsec_", "whsec_abc", "a secret, in words", "whsec_!!!not-base64!!!"]) {
    const outcome = await channelKind("webhook")?.send(asked, { settings: { url: sink.url, secret } }, realTools());
    const said = "the secret is no key: make one with `echo whsec_$(openssl rand -base64 32)`";
    assert.deepEqual(outcome, { kind: "refused", said });
  }
  assert.deepEqual(sink.received, []);
});

test("a program of the user's may be named from the home", async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, "tell"), "#!/bin/sh\ncat >/dev/null; echo told\n", { mode: 0o755 });
  const home = process.env.HOME;
  afterwards(t, () => {
    process.env.HOME = home ?? "";
  });
  process.env.HOME = folder;
  const outcome = await channelKind("command")?.send(asked, { settings: { command: ["~/tell"] } }, realTools());
  assert.equal(outcome?.said, "it ended with code 0: told");
});

test("a button of Telegram answers at once, and only from the chat that was configured", async (t) => {
  const update = (id: number, chat: number) => ({
    update_id: id,
    callback_query: {
      id: `c${id}`,
      data: `tap-from-the-chat-${chat}-x`,
      message: { message_id: 7, chat: { id: chat } },
    },
  });
  const updates = [update(10, 42), update(11, 666)];
  const sink = await startSink(t, async ({ path, body }, response) => {
    if (path.endsWith("/getUpdates"))
      json(response, 200, { ok: true, result: updates.filter(({ update_id: id }) => id >= Number(body.offset)) });
    else json(response, 200, { ok: true, result: true });
  });
  const tapped: string[] = [];
  const stop = new AbortController();
  const listening = channelKind("telegram")?.listen?.(
    { settings: { server: sink.url, token: "123:secret-token", chat: "42" } },
    async (tap) => `${tap}: ${tapped.push(tap)}`,
    realTools(),
    stop.signal,
    () => {},
  );
  const answers = () =>
    sink.received.filter(({ path }) => path.endsWith("/answerCallbackQuery")).map(({ body }) => body);
  await until("both are answered", () => answers().length === 2);
  const polls = () => sink.received.filter(({ path }) => path.endsWith("/getUpdates"));
  await until("the next poll begins behind them", () => polls().at(-1)?.body.offset === 12);
  stop.abort();
  await listening;
  assert.deepEqual(tapped, ["tap-from-the-chat-42-x"]);
  assert.deepEqual(answers(), [
    { callback_query_id: "c10", text: "tap-from-the-chat-42-x: 1" },
    { callback_query_id: "c11", text: "not a button in this chat" },
  ]);
});

test("a button of ntfy is read from the second topic, and what others write there is no capability", async (t) => {
  const open: ServerResponse[] = [];
  const line = (event: string, id: string, message?: string) =>
    `${JSON.stringify({ id, time: 1, event, topic: "replies", message })}\n`;
  const sink = await startSink(t, (_received, response) => {
    open.push(response.writeHead(200));
    response.write(line("open", "o"));
  });
  const say = (...lines: readonly string[]) => open.at(-1)?.write(lines.join(""));
  const tapped: string[] = [];
  const stop = new AbortController();
  const listening = channelKind("ntfy")?.listen?.(
    { settings: { server: sink.url, topic: "alerts", answers: "replies", token: "tk_x" } },
    async (tap) => `${tapped.push(tap)}`,
    realTools(),
    stop.signal,
    () => {},
  );
  await until("it listens", () => open.length === 1);
  say(line("message", "m1", "hello?"), "no json\n");
  const first = line("message", "m2", "capability-that-says-yes-000001");
  say(first.slice(0, 20));
  say(first.slice(20));
  await until("the first press is heard", () => tapped.length === 1);
  say(line("keepalive", "k"), line("message", "m3", "capability-that-says-yes-000002"));
  await until("the second one too", () => tapped.length === 2);
  assert.equal(sink.received.length, 1, "the server grants one request in five seconds: one is enough");
  open.at(-1)?.destroy();
  await until("it listens again, behind them", () => sink.received.at(-1)?.path === "/replies/json?since=m3");
  stop.abort();
  await listening;
  assert.deepEqual(tapped, ["capability-that-says-yes-000001", "capability-that-says-yes-000002"]);
  assert.equal(sink.received[0]?.headers.authorization, "Bearer tk_x");
});

for (const name of ["telegram", "ntfy"] as const) {
  test(`${name}: that its buttons cannot be heard is said, with the service's words, until they can`, async (t) => {
    const words = "Conflict: terminated by other getUpdates request; token 123:do-not-print";
    let isTaken = true;
    const sink = await startSink(t, ({ path }, response) => {
      if (isTaken) json(response, 409, { ok: false, error_code: 409, description: words });
      else if (path.endsWith("/getUpdates")) json(response, 200, { ok: true, result: [] });
      else response.writeHead(200).write('{"event":"open"}\n');
    });
    const said: (string | undefined)[] = [];
    const listening = new Listening(
      realTools(),
      async () => "",
      (channel, trouble) => said.push(trouble && `${channel}: ${trouble}`),
    );
    const settings = { server: sink.url, topic: "a", answers: "b", token: "123:do-not-print", chat: "42" };
    const channels = [{ channel: "phone", kind: name, settings }];
    afterwards(t, () => listening.to([]));
    listening.to(channels);
    await until("it is said", () => said.length > 0);
    isTaken = false;
    await until("it is over", () => said.length > 1);
    assert.deepEqual(said, [
      "phone: answered with 409: Conflict: terminated by other getUpdates request; token …",
      undefined,
    ]);
  });
}

for (const [name, lengthOf, most] of [
  ["ntfy", ({ message }) => Buffer.byteLength(String(message)), 4_096],
  ["discord", ({ content }) => String(content).length, 2_000],
  ["telegram", ({ text }) => [...String(text)].length, 4_096],
  ["pushover", ({ message }) => [...String(message)].length, 1_024],
] as const satisfies readonly (readonly [string, (body: Received["body"]) => number, number])[]) {
  test(`${name} gets no longer text than it takes, and no button for what was cut`, async (t) => {
    const kind = channelKind(name);
    const service = services[name];
    assert.ok(kind && service);
    const sink = await startSink(t, service.takes);
    for (const letter of ["*", "漢", "👍", "é"]) {
      const [title, body] = [kind.traits.limits.title, kind.traits.limits.body].map((length) => letter.repeat(length));
      const message = { ...asked, title: title ?? "", body: body ?? "" };
      await kind.send(message, { settings: service.settings(sink.url) }, realTools());
      const sent = sink.received.at(-1)?.body ?? {};
      assert.ok(lengthOf(sent) <= most, `${lengthOf(sent)} of ${letter}, ${most} at most`);
      const isWhole = JSON.stringify(sent).includes(message.body) || letter === "*";
      if (!isWhole) assert.ok(!JSON.stringify(sent).includes("capability-"), "a button of what was cut");
      assert.ok(!JSON.stringify(sent).includes("\ufffd"), "a letter in pieces");
    }
  });
}

describe("a program of the user's", () => {
  const run = (script: string) =>
    channelKind("command")?.send(asked, { settings: { command: ["sh", "-c", script] } }, realTools());

  test("gets the notice as JSON", async () => {
    const outcome = await run("grep -q capability-that-says-yes && echo taken");
    assert.deepEqual(outcome, { kind: "sent", said: "it ended with code 0: taken", ref: asked.tag });
  });

  test("says by its exit code whether to try again", async () => {
    assert.equal((await run("exit 75"))?.kind, "later");
    assert.deepEqual(await run("echo no mail >&2; exit 1"), { kind: "refused", said: "it ended with code 1: no mail" });
    const missing = await channelKind("command")?.send(asked, { settings: { command: ["/nonexistent"] } }, realTools());
    assert.equal(missing?.kind, "refused");
  });
});
