import assert from "node:assert/strict";
import { createECDH, generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { channelTable } from "@paneward/sdk/config";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Outcome } from "../../src/model/notify/message.ts";
import type { Answered, OutgoingRequest, Tools } from "../../src/notify/channel.ts";
import { channelKind } from "../../src/notify/channels.ts";
import { Listening } from "../../src/notify/listening.ts";
import { Work } from "../../src/notify/work.ts";
import { hostileValue, mutated } from "../attack/support/hostile.ts";
import { asked } from "./support/tools.ts";

const channelKinds = Object.keys(channelTable);
const goodTap = "capability-that-says-yes-000001";

/** What every service could say, so that it fits one of them. */
const good = {
  ...{ ok: true, event: "message", message: goodTap, status: 1, receipt: "r", request: "q", id: "i", retry_after: 3 },
  ...{ result: { message_id: 7 }, parameters: { retry_after: 3 }, description: "d", errors: ["e"], error: "e" },
};

/** The same, of a size that nobody should keep. */
const stretched: unknown = JSON.parse(JSON.stringify(good).replaceAll(/"([a-z])"/g, `"${"x".repeat(9_000)}"`));

const settings = {
  ...{ server: "https://service.test", url: "https://service.test/hook", topic: "t", answers: "replies" },
  ...{ token: "a-secret-token", user: "u", chat: "42", command: ["true"], key: pushKey(), subject: "mailto:a@b.test" },
};

const browserKeys = {
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
};

function pushKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function hostileAnswer(random: Random, body: () => unknown): Answered {
  const { below, pick } = random;
  const kinds: readonly (() => Answered)[] = [
    () => ({ kind: "unreached", reason: "refused" }),
    () => ({ kind: "lost", reason: "cut", ...(below(2) === 0 && { status: pick([200, 302, 500]) }) }),
  ];
  if (below(8) === 0) return pick(kinds)();
  const header = () => pick([undefined, "1", "-1", "1e300", "NaN", "Thu, 01 Jan 1970 00:00:00 GMT", "x".repeat(9_000)]);
  const text = () => JSON.stringify(below(4) === 0 ? hostileValue(random) : body()) ?? "";
  const lines = Array.from({ length: 1 + below(4) }, text).join("\n");
  const shown = below(6) === 0 ? lines.slice(0, below(lines.length + 1)) : lines;
  return {
    kind: "answered",
    status: pick([200, 200, 200, 204, 301, 400, 404, 410, 429, 500, 503]),
    text: shown,
    header,
  };
}

/** Time passes only where somebody sleeps. */
function quickTools(
  fetch: (request: OutgoingRequest, url: string) => Answered | Promise<Answered>,
): Tools & { at(): number } {
  let at = 1_795_000_000_000;
  return {
    fetch: async (url, request) => {
      const answered = await fetch(request, url);
      if (answered.kind === "answered" && answered.status < 300) request.arriving?.(answered.text);
      return answered;
    },
    run: async () => ({ kind: "ended", code: 0, stdout: "", stderr: "" }),
    ...{ show: () => undefined, env: {}, tmuxSocket: "", now: () => at, at: () => at },
    sleep: async (ms, signal) => {
      if (!signal?.aborted) at += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("whatever a service answers", () => {
  test("an attempt has an outcome of bounded size, which says no secret", async () => {
    await fuzz(
      async (random) => {
        const kind = random.pick(channelKinds.filter((one) => !["desktop", "terminal", "command"].includes(one)));
        const tools = quickTools(() =>
          hostileAnswer(random, () => (random.below(3) === 0 ? stretched : mutated(random, good, 6))),
        );
        const outcome = await new Promise<Outcome>((resolve) => {
          const spool = { take: () => true, keep() {}, fate: () => ({ kind: "none" }) as never, isWanted: false };
          // Nothing is late here.
          const patient = { ...tools, sleep: () => new Promise<void>(() => {}) };
          const work = new Work({ spool, tools: patient, done: (_job, found) => resolve(found) });
          const job = { id: "j", channel: "c", kind, settings, message: asked };
          const address = { endpoint: "https://fcm.googleapis.com/x", ...browserKeys };
          work.add({
            ...job,
            ...(kind === "web_push" && { address }),
            ...(random.below(2) === 0 ? { does: "send" } : { does: random.pick(["update", "withdraw"]), ref: "7" }),
          } as never);
        });
        assert.ok(["sent", "refused", "later", "unknown"].includes(outcome.kind), JSON.stringify(outcome));
        assert.ok(typeof outcome.said === "string" && !outcome.said.includes("a-secret-token"));
        assert.ok(JSON.stringify(outcome).length < 4_000, `${JSON.stringify(outcome).length} characters`);
      },
      amount(800, 100_000),
    );
  });

  for (const kind of channelKinds.filter((one) => channelKind(one)?.listen && one !== "desktop")) {
    test(`buttons of ${kind} are asked for without haste, and a press is heard afterwards`, async () => {
      await fuzz(
        async (random) => {
          const { faults, asks, seconds } = await heardBehind(random, kind, 5 + random.below(60));
          assert.deepEqual(faults, []);
          assert.ok(asks <= 2 + seconds, `${asks} requests in ${seconds} s`);
        },
        amount(80, 10_000),
      );
    });
  }
});

/** Listens while a service answers as it likes so many times, and then until it has reported an honest press. */
async function heardBehind(random: Random, kind: string, polls: number) {
  // What is thrown below would only be tried again.
  const faults: string[] = [];
  const hostile: Readonly<Record<string, () => unknown>> = {
    telegram: () => ({ ok: true, result: mutated(random, [updateOf(1), updateOf(2), updateOf(3)], 6) }),
    ntfy: () => mutated(random, good, 6),
  };
  const heard = Promise.withResolvers<void>();
  let asks = 0;
  const honest = (offset: unknown): Answered => {
    if (asks > polls + 20) heard.reject(new Error("the press was not heard"));
    if (kind === "telegram" && !Number.isSafeInteger(offset)) faults.push(`the offset ${offset}`);
    const body = kind === "telegram" ? { ok: true, result: [updateOf(Number(offset))] } : good;
    return { kind: "answered", status: 200, text: JSON.stringify(body), header: () => undefined };
  };
  const tools = quickTools(({ body }, url) => {
    if (url.endsWith("/answerCallbackQuery")) return hostileAnswer(random, () => good);
    asks++;
    if (asks <= polls) return hostileAnswer(random, hostile[kind] ?? (() => good));
    return honest(typeof body === "string" ? (JSON.parse(body) as { readonly offset?: unknown }).offset : undefined);
  });
  const began = tools.at();
  const tapped = async (_channel: string, tap: unknown) => {
    if (typeof tap !== "string" || tap.length > 64) faults.push("more than a capability");
    if (asks > polls && tap === goodTap) heard.resolve();
    return "x".repeat(random.pick([0, 300]));
  };
  const listening = new Listening(tools, tapped, () => {});
  listening.to([{ channel: "c", kind, settings }]);
  await heard.promise.finally(() => listening.to([]));
  return { faults, asks, seconds: (tools.at() - began) / 1_000 };
}

function updateOf(id: number): object {
  return { update_id: id, callback_query: { id: "c", data: goodTap, message: { chat: { id: 42 } } } };
}
