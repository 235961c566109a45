import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { callText } from "@paneward/sdk";
import { seeded } from "../../../tmux/test/support/random.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { hostileText } from "./support/hostile.ts";
import { type Door, modelAt, type Result } from "./support/model.ts";

// All of them in the long tests.
const amount = process.env.PANEWARD_SOAK ? 1_000 : 240;
const batch = 25;

async function attacked(t: TestContext, door: Door) {
  const daemon = await startDaemon(t, "[tmux_bridge]\ntext_enter_delay_ms = 0\n");
  const canary = join(daemon.folder, "canary");
  const random = seeded(Number(process.env.PANEWARD_SEED ?? 4_711));
  const model = modelAt(door, daemon);
  return { daemon, canary, model, texts: Array.from({ length: amount }, () => hostileText(random, canary)) };
}

/** Asks many calls at a time; each must get an answer of its own. */
async function askAll(says: (text: string) => Promise<readonly Result[]>, calls: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < calls.length; at += batch) {
    const asked = calls.slice(at, at + batch);
    const answered = await says(asked.join(" and "));
    assert.equal(answered.length, asked.length);
    results.push(...answered);
  }
  return results;
}

for (const door of ["http", "cli"] as const) {
  describe(`hostile text through ${door}`, () => {
    test("is typed literally, and does nothing else", async (t) => {
      const { daemon, canary, model, texts } = await attacked(t, door);
      const received = join(daemon.folder, "received");
      await model.does("send", { command: `cat > ${received}` });
      await until("cat reads", () => existsSync(received));
      const commands = texts.filter((text) => !text.includes("\u001b"));
      const results = await askAll(
        model.says,
        commands.map((command) => callText("send", { command })),
      );
      assert.ok(results.every(({ success }) => success));
      const wanted = `${commands.map((text) => text.replace(/\r\n|\r/g, (end) => "\n".repeat(end.length))).join("\n")}\n`;
      await until("all of it arrived", () => readFileSync(received, "utf8").length >= wanted.length);
      assert.equal(readFileSync(received, "utf8"), wanted);
      assert.equal(existsSync(canary), false);
    });

    test("as title, folder, name, address or host is text or is refused", async (t) => {
      const { daemon, canary, model, texts } = await attacked(t, door);
      const folder = (text: string) => join(daemon.folder, "f", text.replace(/[/\n\r]/g, "_").slice(0, 60));
      const calls = texts.map((text, at) => {
        const roles = [
          () => callText("split", { window: "0", direction: "vertical", title: text }),
          () => callText("window", { name: text.slice(0, 90) }),
          () => callText("window", { cwd: `/${text}` }),
          () => {
            mkdirSync(folder(text), { recursive: true });
            return callText("window", { cwd: folder(text) });
          },
          () => callText("layout", { window: "0", mode: "save", name: text }),
          () => callText("record", { pane: "0.0", mode: "start", name: text }),
          () => callText("snapshot", { mode: "save", name: text }),
          () => callText("read", { pane: text }),
          () => callText("list", { host: text }),
          () => callText("kill", { window: text }),
          () => callText("wait", { pattern: text.slice(0, 400), timeout: "0" }),
          () => callText(text.slice(0, 90), { [`p${at}`]: text }),
        ];
        return (roles[at % roles.length] ?? roles[0])?.() ?? "";
      });
      // Panes and windows go as they come, so that there is room for all of them.
      const results: Result[] = [];
      for (let at = 0; at < calls.length; at += batch) {
        const made = await askAll(model.says, calls.slice(at, at + batch));
        results.push(...made);
        const opened = made.flatMap((one) =>
          one.success && "pane" in one.data && !("lines_captured" in one.data) ? [one.data] : [],
        );
        const kills = opened
          .filter(({ pane }) => pane !== "0.0")
          .map(({ pane, name }) => callText("kill", name === undefined ? { pane } : { window: pane.split(".")[0] }));
        if (kills.length > 0) assert.ok((await askAll(model.says, kills)).every(({ success }) => success));
      }
      assert.equal(results.length, amount);
      const titles = results.flatMap((one, at) => (one.success && at % 12 === 0 ? [[one.data.title, texts[at]]] : []));
      assert.ok(titles.length > amount / 100);
      for (const [title, text] of titles) assert.equal(title, text?.replaceAll("\t", " "));
      const folders = results.flatMap((one, at) => (one.success && at % 12 === 3 ? [at] : []));
      assert.ok(folders.length > amount / 20);
      assert.equal(existsSync(canary), false);
    });
  });
}

test("a hostile session name in the configuration is refused", async (t) => {
  const daemon = await startDaemon(t);
  const canary = join(daemon.folder, "canary");
  const random = seeded(815);
  const model = modelAt("http", daemon);
  const names = Array.from({ length: 40 }, () => hostileText(random, canary));
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
