import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, test } from "node:test";

const source = join(import.meta.dirname, "../../src");

/** Files that write to a stream of the process, and what they write. */
const exits: Readonly<Record<string, RegExp>> = {
  "cli/look/exit.ts": /visible/,
  // A program in a pane, like any other.
  "cli/demo-agent.ts": /process\.argv\[1\] === import\.meta\.filename/,
  // Draws a canvas, whose cells hold no control characters.
  "tui/edge/terminal.ts": /openScreen/,
  // JSON for a program.
  "mcp/stdio.ts": /StdioServerTransport/,
};

/** Files that may pass text on unchanged. */
const raw: Readonly<Record<string, RegExp>> = {
  // `read --raw` and `screen --escapes`.
  "cli/commands/output.ts": /flag\("raw"\)\) out\.raw.*flag\("escapes"\)\) out\.raw/s,
  "cli/commands/completion.ts": /out\.raw\(script\)/,
  // Sequences of their own around lines made visible.
  "cli/watch.ts": /shownText/,
  "cli/look/progress.ts": /visible/,
  "cli/look/out.ts": /visibleJson/,
  "cli/look/exit.ts": /visible/,
};

describe("one exit", () => {
  const files = ["cli", "tui", "mcp"].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => relative(source, join(source, folder, name))),
  );
  const code = (file: string) => readFileSync(join(source, file), "utf8").replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
  const using = (what: RegExp) => files.filter((file) => what.test(code(file))).toSorted();

  test("nothing but the exits writes to the terminal", () => {
    assert.ok(files.length > 80);
    const streams = /\bprocess\.std(out|err)\b|\bconsole\.|\bwriteSync\(|\{[^}]*\bstd(out|err)\b[^}]*\} = process\b/;
    assert.deepEqual(using(streams), Object.keys(exits).toSorted());
    for (const [file, holds] of Object.entries(exits)) assert.match(code(file), holds);
  });

  test("only commands that were asked for it pass on escape sequences", () => {
    assert.deepEqual(using(/\b(out\.raw|writeRaw)\(|\braw,$/m), Object.keys(raw).toSorted());
    for (const [file, holds] of Object.entries(raw)) assert.match(code(file), holds);
  });
});
