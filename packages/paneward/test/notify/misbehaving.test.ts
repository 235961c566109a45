import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Outcome } from "../../src/model/notify/message.ts";
import { desktop } from "../../src/notify/channels/desktop.ts";
import { channelKind } from "../../src/notify/channels.ts";
import { sessionBus } from "../../src/notify/dbus/bus.ts";
import { runProgram } from "../../src/notify/run-program.ts";
import { Spool } from "../../src/notify/spool.ts";
import { Work } from "../../src/notify/work.ts";
import type { NoticeJob } from "../../src/runtime/ports.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { startSink } from "./support/sink.ts";
import { asked, realTools, untilTheHead } from "./support/tools.ts";

describe("a program of the user's", () => {
  test("that leaves another one running has ended when it ends", async () => {
    const ran = await runProgram(["sh", "-c", "sleep 60 & echo $!"], { limitMs: 20_000 });
    assert.ok(ran.kind === "ended" && ran.code === 0);
    process.kill(Number(ran.stdout));
  });

  test("that does not end is ended with all that it started, also when it ignores signals", async (t) => {
    const file = join(await temporaryFolder(t), "pid");
    const script = "trap '' TERM HUP INT; sh -c 'echo $$ >\"$0\"; sleep 60; sleep 60' \"$0\" & wait; sleep 60";
    const running = runProgram(["sh", "-c", script, file], { limitMs: 2_000 });
    const pid = await until("it has started another", () => existsSync(file) && Number(readFileSync(file, "utf8")));
    assert.deepEqual(await running, { kind: "silent" });
    const isGone = () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    await until("the other has ended too", isGone);
  });

  test("that prints without end is stopped, and little of it is kept", async () => {
    const ran = await runProgram(["sh", "-c", "yes | head -c 50000000; exit 3"], { limitMs: 20_000 });
    assert.ok(ran.kind === "ended" && ran.code === 3 && ran.stdout.length < 200_000);
  });

  test("that cannot be given its arguments is said to be missing", async () => {
    assert.equal((await runProgram(["echo", "a\0b"], { limitMs: 1_000 })).kind, "missing");
    assert.equal((await runProgram([], { limitMs: 1_000 })).kind, "missing");
  });
});

describe("a service", () => {
  const send = (kind: string, settings: Readonly<Record<string, unknown>>, giveUp?: AbortSignal) =>
    channelKind(kind)?.send(asked, { settings }, realTools({}, giveUp));

  test("whose address or key cannot be used is not asked again", async () => {
    const refused = { kind: "refused", said: "not an address that begins with https:// or http://" };
    for (const url of ["hooks.example.org", "ftp://example.org", "https://"]) {
      assert.deepEqual(await send("slack", { url }), refused, url);
    }
    const outcome = await send("ntfy", { server: "http://127.0.0.1:9", topic: "t", token: "two\nlines" });
    assert.equal(outcome?.kind, "refused");
  });

  test("that says too many, and then nothing more, is asked again later", async (t) => {
    const sink = await startSink(t, (_received, response) => {
      response.writeHead(429, { "retry-after": "7" }).write("{");
    });
    assert.deepEqual(await send("slack", { url: sink.url }, untilTheHead(t)), {
      kind: "later",
      said: "answered with 429",
      afterMs: 7_000,
    });
  });

  test("that took a notice, and then says nothing more, took it", async (t) => {
    const sink = await startSink(t, (_received, response) => void response.writeHead(200).write("thank"));
    assert.deepEqual(await send("webhook", { url: sink.url }, untilTheHead(t)), {
      ...{ kind: "sent", said: "answered with 200", ref: asked.tag },
    });
  });
});

test("a session bus that takes the connection and says nothing is given up", async (t) => {
  const path = join(await temporaryFolder(t), "bus");
  const server = createServer(() => {}).listen(path);
  await once(server, "listening");
  afterwards(t, () => void server.close());
  await assert.rejects(sessionBus({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, 50), /does not answer/);
});

describe("the sender", () => {
  const job = (id: string, url: string): NoticeJob => ({
    ...{ id, channel: "hook", kind: "webhook", does: "send", message: asked, settings: { url } },
  });

  test("gives up an attempt that does not end, and does the next", async (t) => {
    const never = { ...realTools(), fetch: () => new Promise<never>(() => {}) };
    const outcomes: Outcome[] = [];
    const spool = new Spool(await temporaryFolder(t));
    const tools = { ...never, sleep: realTools().sleep };
    const work = new Work({ spool, tools, limitMs: 10, done: (_job, outcome) => outcomes.push(outcome) });
    for (let number = 0; number < 6; number++) work.add(job(`n${number}-1`, "http://127.0.0.1:9"));
    await work.end();
    assert.deepEqual(
      outcomes,
      Array.from({ length: 6 }, () => ({ kind: "unknown", said: "it was not done within 0.01 s" })),
    );
  });

  test("sends nothing that it cannot record, and says that it is to be tried again", async (t) => {
    const sink = await startSink(t, (_received, response) => void response.writeHead(204).end());
    const outcomes: Outcome[] = [];
    const full = () => {
      throw new Error("ENOSPC: no space left on device");
    };
    const spool = { take: full, keep: full, fate: () => ({ kind: "never_begun" }) as const, isWanted: false };
    const work = new Work({ spool, tools: realTools(), done: (_job, outcome) => outcomes.push(outcome) });
    work.add(job("n1-1", sink.url));
    await until("it is given back", () => outcomes.length === 1);
    assert.equal(outcomes[0]?.kind, "later");
    assert.equal(sink.received.length, 0);
  });
});

test("on macOS the words are arguments of osascript and never a script or an option, whatever they begin with", async (t) => {
  const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
  afterwards(t, () => void Object.defineProperty(process, "platform", platform));
  const calls: unknown[] = [];
  const tools = realTools({
    run: async (argv, { input }) => {
      calls.push({ argv, input });
      return { kind: "ended", code: 0, stdout: "", stderr: "" };
    },
  });
  const hostile = { ...asked, title: '-e do shell script "id" asks', body: '" & (do shell script "id") & "' };
  assert.deepEqual(await desktop.send(hostile, { settings: {} }, tools), { kind: "sent", said: "shown" });
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run\n";
  assert.deepEqual(calls, [{ argv: ["osascript", "-", hostile.title, hostile.body], input: script }]);
});
