import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keyTable } from "../../src/tui/state/keys.ts";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

test("the interface in terminals of all kinds", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t));
  const { client, env, folder } = daemon;
  const colours = "printf '\\033[38;5;196mred \\033[48;2;0;0;200mblue\\033[0m\\n'; exec cat";
  await client.run({ argv: ["sh", "-c", colours], name: "paint", cwd: folder });
  const wide = makeRepository(daemon, "修复登录页面的问题与其他许多事情修复登录页面的问题与其他许多事情").root;
  await client.run({ argv: ["sh", "-c", 'echo "$PWD $PWD $PWD"; exec cat'], name: "wide", cwd: wide });
  const pane = await openPane(t, env, { folder });
  const begin = async (settings: string) => {
    await pane.type(`clear; ${settings} paneward\n`);
    await pane.shows(" t1 paint ", " t2 wide ", "q quit");
    await pane.type("/paint\n");
    await pane.shows("─ t1 paint", "red blue", "[/paint]");
    await pane.press("Escape");
    await pane.lacks("[/paint]");
  };
  const leave = async () => {
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
  };

  await step("NO_COLOR: only bold and reverse", async () => {
    await begin("NO_COLOR=1");
    const shown = await pane.colours();
    assert.doesNotMatch(shown, /\u001b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[\d;]*)?m/);
    assert.match(shown, /\u001b\[(?:\d+;)*7m/);
    await leave();
  });

  await step("sixteen colours: a program's colours become the nearest named one", async () => {
    await begin("TERM=screen");
    const shown = await pane.colours();
    assert.doesNotMatch(shown, /[34]8;[25];/);
    assert.match(shown, /\u001b\[(?:\d+;)*(?:31|91)mred/);
    await leave();
  });

  await step("wide characters are cut at the edge, and the columns beside them stay aligned", async () => {
    await begin("");
    await pane.type("/wide\n");
    const lines = (await pane.shows("─ t2 wide", /│.*修复/)).split("\n");
    const columns = (text: string) => [...text].reduce((sum, one) => sum + (/[\u2e80-\uffef]/.test(one) ? 2 : 1), 0);
    const bars = lines.filter((line) => line.includes("│")).map((line) => columns(line.split("│")[0] ?? ""));
    assert.ok(bars.length > 20);
    assert.deepEqual([...new Set(bars)], [bars[0]]);
    assert.ok(lines.every((line) => columns(line) <= 140));
    await leave();
  });

  await step("a paste is inserted into the line and triggers no keys; the wheel moves the cursor", async () => {
    await begin("");
    await pane.type("t");
    await pane.shows("to t1 paint:");
    await pane.type("\u001b[200~q first\nsecond 修\u001b[201~");
    await pane.shows("to t1 paint: q first second 修");
    await pane.press("Enter");
    await pane.shows("send t1:", /^.*│ q first second 修/m);
    const [there, back] =
      (await pane.screen()).search(/^ t1 /m) < (await pane.screen()).search(/^ t2 /m) ? [65, 64] : [64, 65];
    await pane.type(`\u001b[<${there};5;5M`);
    await pane.shows("─ t2 wide");
    await pane.type(`\u001b[<${back};5;5M`);
    await pane.shows("─ t1 paint");
    await leave();
  });
});

test("every key of the table, pressed in a real terminal, is recognised", async (t) => {
  const folder = await temporaryFolder(t);
  const recorded = join(folder, "recorded");
  const script = join(folder, "record.mjs");
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
import { readInput } from ${JSON.stringify(join(import.meta.dirname, "../../src/tui/input/read-input.ts"))};
process.stdin.setRawMode(true).setEncoding("utf8").on("data", (text) => {
  for (const input of readInput(text, true).inputs) appendFileSync(${JSON.stringify(recorded)}, JSON.stringify(input) + "\\n");
});
console.log("listens");
`,
  );
  const pane = await openPane(t, { PATH: process.env.PATH ?? "" }, { folder });
  await pane.type(`${process.execPath} ${script}\n`);
  await pane.shows("listens");
  const keys = new Set(keyTable.flatMap((row) => row.keys));
  const names: Readonly<Record<string, string>> = { PageDown: "NPage", PageUp: "PPage", Delete: "DC", "S-Tab": "BTab" };
  let count = 0;
  for (const key of keys) {
    await pane.press(names[key] ?? key);
    count += 1;
    const seen = await until(`${key} arrives`, () => {
      const lines = existsSync(recorded) ? readFileSync(recorded, "utf8").split("\n").slice(0, -1) : [];
      return lines.length >= count && lines;
    });
    assert.deepEqual(JSON.parse(seen.at(-1) ?? ""), { kind: "key", key });
  }
});
