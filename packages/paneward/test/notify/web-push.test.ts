import assert from "node:assert/strict";
import { createECDH, createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { random } from "../../../tmux/test/support/random.ts";
import type { Message } from "../../src/model/notify/message.ts";
import type { Answered, OutgoingRequest, Tools } from "../../src/notify/channel.ts";
import { webPush } from "../../src/notify/channels/web-push.ts";
import { maxPayloadBytes } from "../../src/notify/channels/web-push-request.ts";
import { privateFiles } from "../../src/system/private-files.ts";
import { openPushKey } from "../../src/system/push-key.ts";
import { temporaryFolder } from "../support/folder.ts";
import { hostileWords } from "../support/hostile-names.ts";
import { browserSubscription, pushService, signedBy } from "./support/push-service.ts";

const message: Message = {
  ...{ tag: "aB3-_xyz0123456789", kind: "question", urgency: "high", at: 0 },
  ...{ title: "deploy wants to run a command", body: "npm run deploy", page: "#/question/q17" },
  buttons: [
    { label: "Yes", tap: "tap-yes" },
    { label: "No", tap: "tap-no" },
  ],
};

const asked: Question = {
  ...{ id: "q17", terminal: "t1", kind: "permission", text: "Do you want to proceed?", freeText: false },
  ...{ options: [{ number: 1, label: "Yes" }], source: "screen", screenHash: "abc", state: "open", openedAt: 0 },
};

describe("web push", () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let on: Awaited<ReturnType<typeof stage>>;
  before(async () => {
    on = await stage({ after: (clean) => void cleanups.push(clean) });
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });

  test("is encrypted for one browser, signed by the daemon's key, and says how urgent it is", async () => {
    const browser = browserSubscription(`${on.service.origin}/push/abc`);
    assert.deepEqual(await on.send(message, browser.address), {
      kind: "sent",
      said: "the push service took it",
      ref: message.tag,
    });
    const pushed = on.last();
    const { path, headers, body } = pushed;
    assert.equal(path, "/push/abc");
    assert.deepEqual(
      [headers.ttl, headers.urgency, headers.topic, headers["content-encoding"]],
      ["86400", "high", message.tag, "aes128gcm"],
    );
    const { key, claims } = signedBy(pushed);
    assert.equal(key, on.key.publicKey);
    assert.deepEqual(claims, { aud: on.service.origin, exp: 1_000 + 12 * 3_600, sub: "mailto:me@example.org" });
    assert.deepEqual(JSON.parse(browser.read(body)), {
      ...{ tag: message.tag, title: message.title, body: message.body, urgent: true, buttons: message.buttons },
      page: "#/question/q17",
    });
    assert.ok(!body.includes("deploy"), "nobody on the way reads it");
    assert.throws(() => browserSubscription("x").read(body), "another browser cannot read it");
  });

  test("brings the question itself if there is room, otherwise at least who asks", async () => {
    const browser = browserSubscription(`${on.service.origin}/push/abc`);
    const question = { ...asked, proposal: { command: "npm run deploy" } };
    await on.send({ ...message, asked: { question, name: "deploy", mayAnswer: true } }, browser.address);
    const small = JSON.parse(browser.read(on.last().body));
    assert.deepEqual([small.question, small.asked], ["q17", { question, name: "deploy", mayAnswer: true }]);
    const long = { ...asked, proposal: { command: "x".repeat(5_000) } };
    await on.send({ ...message, asked: { question: long, name: "deploy", mayAnswer: true } }, browser.address);
    const large = JSON.parse(browser.read(on.last().body));
    assert.deepEqual([large.question, large.asked, large.title], ["q17", undefined, message.title]);
  });

  test("fits what a service takes, whatever the text", async (t) => {
    const chance = random(t);
    const browser = browserSubscription(`${on.service.origin}/push/long`);
    for (let count = 0; count < 40; count++) {
      const words = Array.from({ length: 1 + (count % 40) * 4 }, () => hostileWords(chance)).join("");
      await on.send({ ...message, title: words.slice(0, 120), body: words }, browser.address);
      const { body } = on.last();
      assert.ok(body.length <= 4_096, `${body.length} bytes`);
      const read = JSON.parse(browser.read(body)) as Message;
      assert.deepEqual([read.tag, read.page], [message.tag, message.page]);
      if (read.body === words) assert.deepEqual(read.buttons, message.buttons);
      else {
        assert.ok(
          words.toWellFormed().startsWith(read.body.slice(0, -1).replace(/\ufffd$/, "")),
          "its beginning is shown",
        );
        assert.deepEqual(read.buttons, [], "what is not shown whole is not answered by a button");
      }
    }
    assert.equal(maxPayloadBytes, 3_993);
  });

  const outcomes = [
    [404, {}, { kind: "refused", said: "answered with 404: why", gone: true }],
    [410, {}, { kind: "refused", said: "answered with 410: why", gone: true }],
    [400, {}, { kind: "refused", said: "answered with 400: why" }],
    [413, {}, { kind: "refused", said: "answered with 413: why" }],
    [301, { location: "https://127.0.0.1/" }, { kind: "refused", said: "answered with 301: why" }],
    [429, { "retry-after": "30" }, { kind: "later", said: "answered with 429: why", afterMs: 30_000 }],
    [503, {}, { kind: "later", said: "answered with 503: why" }],
    [500, {}, { kind: "unknown", said: "answered with 500: why" }],
  ] as const;
  for (const [status, headers, outcome] of outcomes) {
    test(`${status} ${JSON.stringify(headers)} of the service is ${outcome.kind}`, async () => {
      on.service.answers.push({ status, headers });
      const { address } = browserSubscription(`${on.service.origin}/push/abc`);
      assert.deepEqual(await on.send(message, address), outcome);
    });
  }

  test("goes only to push services, also when the record says something else", async () => {
    const before = on.service.pushed.length;
    for (const endpoint of [
      "https://127.0.0.1/x",
      `https://127.0.0.1:${on.service.host.split(":")[1]}/x`,
      "http://localhost/x",
    ]) {
      const outcome = await on.send(message, browserSubscription(endpoint).address);
      assert.equal(outcome.kind, "refused", endpoint);
    }
    assert.equal(on.service.pushed.length, before);
  });

  test("what is over goes by the same tag and topic, so that it takes the place of what was not delivered", async () => {
    const browser = browserSubscription(`${on.service.origin}/push/abc`);
    const over = { ...message, buttons: [], over: "answered in the terminal" };
    await webPush.change?.("withdraw", over, { ...on.to(browser.address), ref: "" }, on.tools);
    const { headers, body } = on.last();
    assert.equal(headers.topic, message.tag);
    const read = JSON.parse(browser.read(body));
    assert.deepEqual([read.tag, read.over, read.buttons], [message.tag, "answered in the terminal", []]);
  });

  test("the daemon's key is made once, and only its owner can read it", async () => {
    const again = await openPushKey(on.key.path, privateFiles);
    assert.deepEqual(again, on.key);
    assert.equal(statSync(on.key.path).mode & 0o777, 0o600);
    const own = createECDH("prime256v1");
    const { d = "" } = createPrivateKey(readFileSync(on.key.path)).export({ format: "jwk" });
    own.setPrivateKey(Buffer.from(d, "base64url"));
    assert.equal(own.getPublicKey().toString("base64url"), on.key.publicKey);
  });
});

async function stage(t: Parameters<typeof pushService>[0]) {
  const folder = await temporaryFolder(t);
  const service = await pushService(t, folder);
  const key = await openPushKey(join(folder, "push.key"), privateFiles);
  const ca = readFileSync(service.certificate);
  const tools: Pick<Tools, "fetch" | "now"> = { fetch: (url, asked) => fetchBy(ca, url, asked), now: () => 1_000_000 };
  const settings = { subject: "mailto:me@example.org", key: readFileSync(key.path, "utf8"), hosts: [service.host] };
  const to = (address: unknown) => ({ settings, address });
  return {
    ...{ service, key, to },
    tools: tools as Tools,
    send: (sent: Message, address: unknown) => webPush.send(sent, to(address), tools as Tools),
    last: () => {
      const pushed = service.pushed.at(-1);
      assert.ok(pushed);
      return pushed;
    },
  };
}

// As the sender does, but trusting the test's own certificate.
function fetchBy(ca: Buffer, url: string, { method, headers, body }: OutgoingRequest): Promise<Answered> {
  return new Promise((resolve) => {
    const asked = request(url, { method, headers: { ...headers }, ca }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      const header = (name: string) => answer.headers[name]?.toString();
      resolve({ kind: "answered", status: answer.statusCode ?? 0, text, header });
    });
    asked.on("error", ({ message: reason }) => resolve({ kind: "unreached", reason }));
    asked.end(body);
  });
}
