import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Parsed } from "@paneward/sdk";
import { openStage } from "../../../test/support/stage.ts";
import { agentNamed } from "../../agents/registry.ts";
import type { ServerState } from "../../agents/server.ts";
import type { ServerSaid } from "../../model/agents/agent-server.ts";
import type { DeliveryRecord } from "../../model/records.ts";

type Beside = Awaited<ReturnType<typeof besideStage>>;

interface Timeline {
  readonly before?: (stage: Beside) => void;
  readonly send?: Partial<Parsed<"send">>;
  /** A delivery that an earlier daemon left, instead of one that is sent. */
  readonly left?: Partial<DeliveryRecord>;
  /** What happens at which millisecond. */
  readonly at?: Readonly<Record<number, (stage: Beside) => unknown>>;
  readonly news: readonly string[];
  /** What its server was given. */
  readonly posted: readonly string[];
  /** What its pane got. */
  readonly got?: readonly string[];
  readonly way?: "http" | "keys";
}

const over = "submitted: over the agent's HTTP";
const taken = "acknowledged: its event stream reported it";
const byKeys = (at: number, text = "hello") => [`${at} pastes ${text}`, `${at + 400} Enter`];
const keyNews = (at: number) => [`${at} typed`, `${at + 400} submitted`, `${at + 400} ${taken}`];
const line = "hello";
const wish = { text: line, enter: true, keys: [], force: false };
const drawn = (says: string) => (draft: string) => ["", "  ┃", `  ┃  ${draft}`, "  ┃", `  ┃  ${says}`, bottom];
const bottom = `  ╹${"▀".repeat(60)}`;
const untyped = { posted: [], way: "keys" } as const;

const timelines: Readonly<Record<string, Timeline>> = {
  "a prompt goes over HTTP, and its event is the witness": {
    news: [`0 ${over}`, `120 ${taken}`],
    posted: ["0 hello"],
    way: "http",
  },
  "a draft holds nothing, and stays": {
    before: ({ pane }) => {
      pane.draft = "half a thought";
    },
    news: [`0 ${over}`, `120 ${taken}`],
    posted: ["0 hello"],
    way: "http",
  },
  "copy mode is not disturbed": {
    before: ({ pane }) => {
      pane.inMode = true;
    },
    news: [`0 ${over}`, `120 ${taken}`],
    posted: ["0 hello"],
    way: "http",
  },
  "an open question holds it": {
    before: ({ heard }) => {
      heard.asks = true;
    },
    at: {
      4000: ({ heard, pane }) => {
        heard.asks = false;
        pane.print();
      },
    },
    news: ["0 held: it asks: something that is not drawn yet", `4000 ${over}`, `4120 ${taken}`],
    posted: ["4000 hello"],
    way: "http",
  },
  "a question that opens while its server is asked holds it too": {
    before: (stage) => {
      stage.onRead = () => {
        stage.heard.asks = true;
        stage.onRead = () => {};
      };
    },
    at: {
      2000: ({ heard, pane }) => {
        heard.asks = false;
        pane.print();
      },
    },
    news: ["0 held: it asks: something that is not drawn yet", `2000 ${over}`, `2120 ${taken}`],
    posted: ["2000 hello"],
    way: "http",
  },
  "on the screen of another conversation it is typed": {
    before: ({ pane }) => {
      pane.title = "OC | Something else";
    },
    ...{ ...untyped, news: keyNews(0), got: byKeys(0) },
  },
  "where a person chose another agent it is typed": {
    before: ({ pane }) => {
      pane.draws = drawn("Plan · Scripted Scripted");
    },
    ...{ ...untyped, news: keyNews(0), got: byKeys(0) },
  },
  "a text that keys cannot bring fails there, and nothing is typed": {
    before: ({ pane }) => {
      pane.draws = drawn("Plan · Scripted Scripted");
    },
    send: { text: "what is @" },
    news: ["0 failed: opencode would complete what @ names, instead of taking Enter; nothing was typed"],
    ...{ posted: [], got: [] },
  },
  "while its events are not heard it is typed": {
    before: ({ heard }) => {
      if (heard.beside) heard.beside.isDown = true;
    },
    ...{ posted: [], news: keyNews(0), got: byKeys(0) },
  },
  "a server that does not answer: it is typed": {
    before: (stage) => {
      stage.reads = () => ({ kind: "unknown", reason: "timed out" });
    },
    ...{ ...untyped, news: keyNews(0), got: byKeys(0) },
  },
  "a command is typed": {
    before: ({ pane }) => {
      pane.onPrompt = () => {};
    },
    send: { command: true },
    ...{ posted: [], news: ["0 typed", "400 submitted", "400 acknowledged: its input line took the command"] },
    got: byKeys(0),
  },
  "a text without Enter is typed": {
    send: { enter: false },
    ...{ posted: [], news: ["0 typed", "0 acknowledged: its input line shows it"], got: ["0 pastes hello"] },
  },
  "what is forced behind a draft is typed": {
    before: ({ pane }) => {
      pane.draft = "half a thought, ";
    },
    send: { force: true },
    ...{ ...untyped, news: keyNews(0), got: byKeys(0) },
  },
  "a server that refuses did not take it: it is typed": {
    before: (stage) => {
      stage.posts = () => ({ kind: "said", status: 404, body: {} });
    },
    news: [`0 ${over}`, "0 queued: the agent's HTTP did not take it, so it is typed: it answered 404", ...keyNews(0)],
    ...{ posted: ["0 hello"], got: byKeys(0), way: "keys" },
  },
  "a server that was not reached: it is typed": {
    before: (stage) => {
      stage.posts = () => ({ kind: "unreached", reason: "nothing listens" });
    },
    news: [`0 ${over}`, "0 queued: the agent's HTTP did not take it, so it is typed: nothing listens", ...keyNews(0)],
    ...{ posted: ["0 hello"], got: byKeys(0), way: "keys" },
  },
  "a refused text that keys cannot bring fails": {
    before: (stage) => {
      stage.posts = () => ({ kind: "said", status: 400, body: {} });
    },
    send: { text: "what is @" },
    news: [`0 ${over}`, "0 failed: opencode would complete what @ names, instead of taking Enter; nothing was typed"],
    ...{ posted: ["0 what is @"], got: [] },
  },
  "a connection that breaks behind the request: the conversation says that it arrived": {
    before: (stage) => {
      stage.posts = (text) => {
        stage.takes(text, { isHeard: false });
        return { kind: "unknown", reason: "the connection broke" };
      };
    },
    news: [`0 ${over}`, `0 ${taken}`],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "or nothing says so: the outcome is unknown, and no key is pressed": {
    before: (stage) => {
      stage.posts = () => ({ kind: "unknown", reason: "the connection broke" });
    },
    news: [`0 ${over}`, "30050 unknown: the connection broke"],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "a server that fails may have taken it": {
    before: (stage) => {
      stage.posts = () => ({ kind: "said", status: 500, body: {} });
    },
    news: [`0 ${over}`, "30050 unknown: it answered 500"],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "what it took and reports late becomes acknowledged": {
    before: (stage) => {
      stage.posts = () => ({ kind: "said", status: 204, body: undefined });
    },
    at: { 50000: (stage) => stage.takes(line) },
    news: [
      `0 ${over}`,
      "30050 unknown: the agent's HTTP took it, and nothing says that it was given",
      `50120 ${taken}`,
    ],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "events that were lost meanwhile are made up for": {
    before: (stage) => {
      stage.posts = (text) => {
        stage.takes(text, { isHeard: false });
        return { kind: "said", status: 204, body: undefined };
      };
    },
    news: [`0 ${over}`, `30050 ${taken}`],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "an agent that ends may have taken it": {
    before: (stage) => {
      stage.posts = () => ({ kind: "said", status: 204, body: undefined });
    },
    at: { 300: (stage) => stage.end() },
    news: [`0 ${over}`, "300 unknown: the program ended after it was sent, and nothing says that it took this"],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "after a restart, what was sent is found": {
    left: { wish, state: "submitted", way: "http" },
    before: (stage) => stage.takes(line, { isHeard: false }),
    news: [`0 ${taken}`],
    ...{ posted: [], way: "http" },
  },
  "after a restart, what was sent and is not found is unknown, and is not sent again": {
    left: { wish, state: "submitted", way: "http" },
    news: ["3050 unknown: the daemon ended while it was sent"],
    ...{ posted: [], way: "http" },
  },
  "after a restart, what was not sent yet is sent": {
    left: { wish, state: "held", way: "http" },
    news: [`0 ${over}`, `120 ${taken}`],
    ...{ posted: ["0 hello"], way: "http" },
  },
  "after a restart, what was typed is not sent": {
    left: { wish, state: "typed", way: "keys" },
    before: ({ pane }) => {
      pane.mark = "d1 typed";
      pane.draft = "hello";
    },
    news: ["400 submitted", `400 ${taken}`],
    ...{ posted: [], got: ["400 Enter"], way: "keys" },
  },
};

describe("a prompt beside the input line", () => {
  for (const [name, line] of Object.entries(timelines)) {
    test(name, async (t) => {
      const stage = await besideStage(t);
      const { clock, courier, pane, caller } = stage;
      line.before?.(stage);
      for (const [ms, happen] of Object.entries(line.at ?? {})) clock.timer(Number(ms), () => happen(stage));
      if (line.left) {
        stage.left(line.left);
        courier.resume();
      } else courier.send({ ...input, ...line.send }, caller).catch(() => undefined);
      await clock.advance(60_000);
      assert.deepEqual(stage.news, line.news);
      assert.deepEqual(stage.posted, line.posted);
      assert.deepEqual(pane.got, line.got ?? []);
      if (line.way) assert.equal(stage.store.deliveries("t1", 1)[0]?.way, line.way);
      assert.deepEqual(stage.store.unfinishedDeliveries(), []);
      assert.equal(clock.waiting, 0, "no timer is left");
    });
  }

  test("every text goes as it is, also what keys cannot bring", async (t) => {
    const stage = await besideStage(t);
    const texts = ["!ls", "/help me", "exit", "what is @", " a\tb \n", "a\u2028b\u001b[31m", "\u{1fae9}"];
    for (const text of texts) {
      const receipt = await stage.outcome(stage.courier.send({ ...input, text, ack: 5 }, stage.caller));
      assert.deepEqual(
        "state" in receipt && [receipt.state, receipt.way, receipt.changed],
        ["acknowledged", "http", undefined],
        text,
      );
    }
    assert.deepEqual(
      stage.posted.map((one) => one.replace(/^\d+ /, "")),
      texts,
    );
    assert.deepEqual(stage.pane.got, []);
  });

  test("what keys cannot bring is refused at once where only keys are left, and is not recorded", async (t) => {
    const stage = await besideStage(t);
    if (stage.heard.beside) stage.heard.beside.isDown = true;
    const refusal = await stage.outcome(stage.courier.send({ ...input, text: "what is @" }, stage.caller));
    assert.match(String(refusal), /would complete what @ names/);
    assert.deepEqual([stage.store.deliveries("t1", 10), stage.posted, stage.pane.got], [[], [], []]);
  });

  test("a text of blanks is no prompt", async (t) => {
    const stage = await besideStage(t);
    const refusal = await stage.outcome(stage.courier.send({ ...input, text: "  " }, stage.caller));
    assert.match(String(refusal), /nothing but blanks/);
  });

  test("prompts of both ways come in their order", async (t) => {
    const stage = await besideStage(t);
    const { courier, caller, clock, pane } = stage;
    for (const [text, command] of [
      ["one", false],
      ["/two", true],
      ["three", false],
    ] as const) {
      courier.send({ ...input, text, command }, caller).catch(() => undefined);
    }
    await clock.advance(10_000);
    assert.deepEqual([stage.posted, pane.got], [["0 one", "520 three"], byKeys(120, "/two")]);
  });

  test("after a restart, the same words from before it was sent are another prompt", async (t) => {
    const stage = await besideStage(t);
    const before = stage.clock.now();
    stage.takes(line, { isHeard: false });
    await stage.clock.advance(5_000);
    stage.left({ wish, state: "submitted", way: "http", createdAt: before, updatedAt: stage.clock.now() });
    stage.courier.resume();
    await stage.clock.advance(10_000);
    assert.deepEqual(stage.news, ["8050 unknown: the daemon ended while it was sent"]);
  });

  test("a daemon that is killed between the request and its answer: the next one finds it, and nothing is sent twice", async (t) => {
    for (const isTaken of [true, false]) {
      const stage = await besideStage(t);
      const { clock, courier, caller } = stage;
      const { promise: never } = Promise.withResolvers<ServerSaid>();
      stage.posts = (text) => {
        if (isTaken) stage.takes(text, { isHeard: false });
        return never;
      };
      courier.send(input, caller).catch(() => undefined);
      await clock.advance(50);
      courier.close();
      stage.nextCourier().resume();
      await clock.advance(60_000);
      assert.deepEqual(stage.news, [
        `0 ${over}`,
        isTaken ? `50 ${taken}` : "3100 unknown: the daemon ended while it was sent",
      ]);
      assert.deepEqual([stage.posted, stage.pane.got], [["0 hello"], []]);
    }
  });
});

const input = { id: "t1", text: line, enter: true, ack: 0, force: false, command: false } as const;

/** An opencode whose server is followed, with one prompt in its conversation. */
async function besideStage(t: Parameters<typeof openStage>[0]) {
  const stage = await openStage(t, "opencode");
  const { pane, clock, prompts, heard } = stage;
  const server = agentNamed("opencode", {})?.server;
  assert.ok(server);
  const model = { providerID: "scripted", modelID: "scripted" };
  const messages: object[] = [];
  const takes = (text: string, { isHeard = true } = {}) => {
    const [id, created] = [`msg_${messages.length}`, clock.now()];
    const info = { id, role: "user", time: { created }, agent: "build", model };
    messages.push({ info, parts: [{ type: "text", text }] });
    const told = { way: "event stream", as: "event stream", called: id } as const;
    if (isHeard) clock.timer(120, () => prompts.match("t1", text, created, told));
  };
  takes("the first", { isHeard: false });
  const posted: string[] = [];
  const beside = {
    ...stage,
    ...{ posted, takes },
    posts: (text: string): ServerSaid | Promise<ServerSaid> => {
      takes(text);
      return { kind: "said", status: 204, body: undefined };
    },
    reads: (body: unknown): ServerSaid => ({ kind: "said", status: 200, body }),
    onRead: () => {},
  };
  const lists: Readonly<Record<string, () => unknown>> = {
    "/session/s1/message?limit=20": () => [...messages],
    "/session?limit=100": () => [{ id: "s1", directory: "/shop", title: "Fix it" }],
    "/config/providers": () => ({
      providers: [{ id: "scripted", name: "Scripted", models: { scripted: { name: "Scripted" } } }],
    }),
  };
  const state: ServerState = {
    ...{ directory: "/shop", sessions: {}, current: "s1", latest: "s1", asked: [], given: [] },
  };
  heard.beside = {
    ...{ server, state },
    says: ({ method, path, body }) => {
      if (method === "GET") {
        beside.onRead();
        return beside.reads(lists[path]?.());
      }
      assert.equal(path, "/session/s1/prompt_async");
      const { parts, ...how } = body as { readonly parts: readonly { readonly text: string }[] };
      assert.deepEqual(how, { agent: "build", model });
      const text = parts[0]?.text ?? "";
      posted.push(`${stage.passed()} ${text}`);
      return beside.posts(text);
    },
  };
  pane.title = "OC | Fix it";
  pane.draws = drawn("Build · Scripted Scripted");
  pane.onPrompt = (text) => {
    const told = { way: "event stream", as: "event stream" } as const;
    prompts.match("t1", text, clock.now(), told);
  };
  return beside;
}
