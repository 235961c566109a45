import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { operationNames, PanewardError, visible } from "@paneward/sdk";
import { oneLine, widthOf } from "@paneward/sdk/text";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { allCommands } from "../../src/cli/command-table.ts";
import { tableLines } from "../../src/cli/look/table.ts";
import { compileCache } from "../support/compile-cache.ts";
import { hostileWords } from "../support/hostile-names.ts";
import { fakeAnswers } from "./support/fake-answers.ts";
import { type Answers, fakeDaemon } from "./support/fake-daemon.ts";

const hostile = [
  "\u001b[2J\u001b[35;1mcleared",
  "\u001b]52;c;cm0gLXJmIH4=\u0007",
  "\u001b]8;;http://evil.test\u001b\\link\u001b]8;;\u001b\\",
  "\u001bP+q544e\u001b\\",
  "\u009b31m\u009d0;title\u009c",
  "\u202egnihtyna\u202c\u2066x\u2069",
  "all good\rall wrong",
  "abc\b\b\bxyz\u007f",
  "a\u2028b\u2029c\u0000\u000e",
].join(" ");

/** They start a program or the daemon, or take over the terminal. */
const notRun = new Set([
  ...["attach", "exec", "up", "mcp", "demo", "daemon start", "daemon stop", "daemon restart", "daemon run"],
  ...["hooks install", "hooks uninstall"],
]);

// Texts that a command compares or counts with; everything else is a text that it prints.
const words = new Set(["kind", "status", "state", "type", "source", "scope", "transport", "mode", "cursor", "version"]);

function poisoned(value: unknown, key = ""): unknown {
  if (typeof value === "string") return words.has(key) ? value : `${value}${hostile}`;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one, name)]));
}

/** One example of each command that ends by itself. */
function commandLines(json: boolean): readonly (readonly string[])[] {
  return allCommands
    .filter(({ name, json: hasJson }) => !notRun.has(name) && !(json && hasJson === false))
    .map(({ name, examples }) => {
      const typed = examples.map((example) => /paneward ([^|)<#]*)/.exec(example)?.[1]?.trim() ?? "");
      const ends = typed.find((text) => text.startsWith(name) && !/-f\b|--follow|--watch|--json|--edit/.test(text));
      const argv = (ends ?? name).match(/'[^']*'|"[^"]*"|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
      const [first = 1] = [name.split(" ").length];
      const rest = argv ?? [name];
      const asked = /^(rm|reset)$/.test(name) && !rest.includes("--yes") ? [...rest, "--yes"] : rest;
      return json ? [...asked.slice(0, first), "--json", ...asked.slice(first)] : asked;
    });
}

async function printedBy(
  t: Parameters<typeof fakeDaemon>[0],
  answers: Answers,
  kind: "terminal" | "pipe",
  lines: readonly (readonly string[])[],
): Promise<Readonly<Record<string, string>>> {
  const { env, folder } = await fakeDaemon(t, answers);
  const file = join(folder, "printed.json");
  const program = new URL("support/print-all.ts", import.meta.url).pathname;
  const args = ["--conditions=@paneward/source", program, kind, JSON.stringify(lines), file];
  const child = promisify(execFile)(process.execPath, args, {
    env: { ...env, NODE_COMPILE_CACHE: compileCache, TERM: "xterm" },
    timeout: 120_000,
  });
  child.child.stdin?.end("");
  await child;
  return JSON.parse(readFileSync(file, "utf8"));
}

// Colours of our own, and the line of progress on stderr.
const own = /\u001b\[(?:0|1|2|3[1-6])m|\r\u001b\[K/g;
const acts = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

function assertHarmless(printed: Readonly<Record<string, string>>): void {
  for (const [typed, text] of Object.entries(printed)) {
    const rest = text.replace(own, "");
    assert.doesNotMatch(rest, acts, `paneward ${typed} printed ${JSON.stringify(acts.exec(rest))}`);
  }
}

describe("text of others in what commands print", () => {
  const answers = Object.fromEntries(
    operationNames.map((name) => [name, () => poisoned(fakeAnswers[name])]),
  ) as Answers;
  const failing = Object.fromEntries(
    operationNames.map((name) => [
      name,
      () => {
        throw new PanewardError("wrong_state", `no${hostile}`, { hint: `maybe${hostile}` });
      },
    ]),
  ) as Answers;

  test("is never obeyed by the terminal; colours come from the command only", async (t) => {
    const printed = await printedBy(t, answers, "terminal", commandLines(false));
    assertHarmless(printed);
    assert.ok(Object.keys(printed).length > 45);
    const silent = Object.entries(printed).filter(([, text]) => !text.includes("evil.test"));
    // They print nothing but ids, counts and words of their own.
    assert.ok(silent.length < 25, silent.map(([typed]) => typed).join(", "));
    assert.ok(printed["diff 12"]?.includes("␛[35;1m"));
  });

  test("is escaped in JSON, also in a pipe", async (t) => {
    assertHarmless(await printedBy(t, answers, "pipe", commandLines(true)));
  });

  test("is never obeyed in the message and hint of a failure", async (t) => {
    const printed = await printedBy(t, failing, "terminal", commandLines(false));
    assertHarmless(printed);
    assert.ok(Object.values(printed).filter((text) => text.includes("evil.test")).length > 40);
  });

  test("stays exact in a pipe where it is content, and is shown everywhere else", async (t) => {
    const content = ["diff 12", "read 12 --lines 50", "logs 12", "bootstrap 12", "path 12", "branch 12"];
    const exact = content.map((text) => text.split(" "));
    const printed = await printedBy(t, answers, "pipe", [...exact, ...commandLines(false)]);
    for (const typed of content) assert.ok(printed[typed]?.includes(hostile), typed);
    assertHarmless(Object.fromEntries(Object.entries(printed).filter(([typed]) => !content.includes(typed))));
  });
});

test("text of others moves no column and makes no line wider, as it is printed", async () => {
  await fuzz((random) => {
    const rows = Array.from({ length: 1 + random.below(4) }, () => hostileWords(random));
    const columns = [
      { title: "TEXT", of: (row: string) => row, cut: true },
      { title: "MARK", of: () => "|" },
    ] as const;
    const lines = tableLines({ columns: 40 + random.below(100), paint: (_, text) => text }, rows, columns);
    const places = lines.slice(1).map((line) => widthOf(visible(line).replace(/\|$/, "")));
    if (rows.some((row) => oneLine(row) !== "")) assert.equal(new Set(places).size, 1, JSON.stringify(lines));
    for (const line of lines) assert.doesNotMatch(line, /\n/);
  }, 2_000);
});
