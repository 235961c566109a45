import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, type TestContext, test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { suiteCleanup } from "../../../tmux/test/support/suite.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { type Call, entrances, type HostileDoor } from "./support/hostile-doors.ts";
import { hostileText } from "./support/hostile-text.ts";
import { modelAt, type Result } from "./support/model.ts";

// More in the soak tests.
const long = process.env.PANEWARD_SOAK !== undefined;
const amount = long ? 1_000 : 60;
const programs = long ? 200 : 6;
const batch = 25;

/** One daemon for all tests of a door; each has its own connection. */
function daemonOf(open: (typeof entrances)[number]["open"]) {
  const cleanup = suiteCleanup();
  let daemon: TestDaemon;
  before(async () => {
    daemon = await startDaemon(cleanup, "[tmux_bridge]\ntext_enter_delay_ms = 0\n");
  });
  return async (t: TestContext) => {
    const canary = join(daemon.folder, "canary");
    const chance = random(t, 4_711);
    const texts = Array.from({ length: amount }, () => hostileText(chance, canary));
    return { daemon, canary, door: await open(t, daemon), texts };
  };
}

async function askAll(door: HostileDoor, calls: readonly Call[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < calls.length; at += batch) results.push(...(await door.asks(calls.slice(at, at + batch))));
  return results;
}

/** The text in every parameter that takes one. */
function rolesOf(text: string, at: number, folder: string): readonly (() => Call)[] {
  const call = (action: string, params: Readonly<Record<string, string>>) => () => ({ action, params });
  const existing = join(folder, text.replace(/[/\n\r]/g, "_").slice(0, 60));
  return [
    call("split", { window: "0", direction: "vertical", title: text }),
    call("window", { name: text.slice(0, 90) }),
    call("window", { cwd: `/${text}` }),
    () => {
      mkdirSync(existing, { recursive: true });
      return { action: "window", params: { cwd: existing } };
    },
    call("layout", { window: "0", mode: "save", name: text }),
    call("record", { pane: "0.0", mode: "start", name: text }),
    call("snapshot", { mode: "save", name: text }),
    call("read", { pane: text }),
    call("list", { host: text }),
    call("kill", { window: text }),
    call("wait", { pattern: text.slice(0, 400), timeout: "0" }),
    call(text.slice(0, 90), { [`p${at}`]: text }),
  ];
}

/** Calls that kill the opened windows and panes, to make room for the next ones. */
function cleanupCalls(results: readonly Result[]): readonly Call[] {
  const opened = results.flatMap((one) =>
    one.success && "pane" in one.data && !("lines_captured" in one.data) ? [one.data] : [],
  );
  return opened
    .filter(({ pane }) => pane !== "0.0")
    .map(({ pane, name }) => ({
      action: "kill",
      params: name === undefined ? { pane } : { window: pane.split(".")[0] },
    }));
}

for (const { name, open } of entrances) {
  describe(`hostile text through ${name}`, () => {
    const setUp = daemonOf(open);
    test("is typed literally and executes nothing", async (t) => {
      const { daemon, canary, door, texts } = await setUp(t);
      const received = join(daemon.folder, "received");
      await askAll(door, [{ action: "send", params: { command: `cat > ${received}` } }]);
      await until("cat reads", () => existsSync(received));
      const calls = texts.map((command) => ({ action: "send", params: { command } }));
      assert.ok((await askAll(door, calls)).every(({ success }) => success));
      const wanted = `${texts.map((text) => text.replace(/\r\n|\r/g, (end) => "\n".repeat(end.length))).join("\n")}\n`;
      await until("all of it arrived", () => readFileSync(received, "utf8").length >= wanted.length);
      assert.equal(readFileSync(received, "utf8"), wanted);
      assert.equal(existsSync(canary), false);
    });

    test("as title, folder, name, address or host is stored as text or refused", async (t) => {
      const { daemon, canary, door, texts } = await setUp(t);
      const results: Result[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        const calls = texts.slice(at, at + batch).flatMap((text, more) => {
          const roles = rolesOf(text, at + more, join(daemon.folder, "f"));
          return [roles[(at + more) % roles.length]?.()].filter((call) => call !== undefined);
        });
        const made = await askAll(door, calls);
        results.push(...made);
        assert.ok((await askAll(door, cleanupCalls(made))).every(({ success }) => success));
      }
      assert.equal(results.length, amount);
      const titles = results.flatMap((one, at) => (one.success && at % 12 === 0 ? [[one.data.title, texts[at]]] : []));
      assert.ok(titles.length > amount / 100);
      for (const [title, text] of titles) assert.equal(title, text?.replaceAll("\t", " "));
      assert.ok(results.filter(({ success }, at) => success && at % 12 === 3).length > amount / 20);
      assert.equal(existsSync(canary), false);
    });

    test("as a program's arguments, name and folder reaches only that program", async (t) => {
      const { daemon, canary, door, texts } = await setUp(t);
      for (const [at, text] of texts.slice(0, programs).entries()) {
        const cwd = join(daemon.folder, "f", text.replace(/[/\n\r]/g, "_").slice(0, 60));
        mkdirSync(cwd, { recursive: true });
        const argv = ["sh", "-c", 'printf %s "$1" >new && mv new "$2"', "sh", text, `got-${at}`];
        assert.ok(await door.runs({ argv, name: `n${at}`, cwd }), text);
        const got = join(cwd, `got-${at}`);
        await until("the program wrote", () => existsSync(got));
        assert.equal(readFileSync(got, "utf8"), text);
        await door.runs({ argv: ["true"], name: text, cwd: `${daemon.folder}/${text}` });
      }
      assert.equal(existsSync(canary), false);
    });
  });
}

test("a hostile session name in the configuration is refused", async (t) => {
  const daemon = await startDaemon(t);
  const canary = join(daemon.folder, "canary");
  const chance = random(t, 815);
  const model = modelAt("http", daemon);
  const names = Array.from({ length: 40 }, () => hostileText(chance, canary));
  for (const name of [...names, "paneward-keeper", "paneward-t1-x", "a:0.0", "../x", ""]) {
    const session = JSON.stringify(name).replace(
      /[\u007f-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const path = join(daemon.folder, "config", "paneward", "config.toml");
    if (/\\ud[89a-f]/.test(session)) continue;
    writeFileSync(path, `[capability]\nsession = ${session}\n`);
    const { error } = await model.isRefused("init");
    assert.match(error, /session name/, name);
  }
  assert.equal(existsSync(canary), false);
});
