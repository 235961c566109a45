import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPrompt } from "@paneward/sdk/prompt";
import { amount } from "../../../tmux/test/support/amount.ts";
import { afterwards, temporaryFolder } from "../../../tmux/test/support/folder.ts";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { hostileWords } from "../support/hostile-names.ts";

test("a prompt of any letters is recognised where tmux draws it and leaves the cursor", async (t) => {
  const chance = random(t);
  const folder = await temporaryFolder(t);
  const tmux = (...args: readonly string[]) => {
    const { stdout, stderr } = spawnSync("tmux", ["-S", join(folder, "s"), "-f/dev/null", ...args], {
      encoding: "utf8",
      env: { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
    });
    assert.equal(stderr, "");
    return stdout;
  };
  afterwards(t, () => {
    spawnSync("tmux", ["-S", join(folder, "s"), "kill-server"]);
  });
  const tty = tmux("-u", "new-session", "-dP", "-F", "#{pane_tty}", "-x", "200", "-y", "20", "exec sleep 1000").trim();
  for (let round = 0; round < amount(150, 5_000); round++) {
    const words = `${drawable(chance)}x`;
    writeFileSync(tty, `\u001bc${words} [y/N] `);
    const drawn = await cursorBehind(tmux, " [y/N]");
    const prompt = readPrompt(drawn.lines, drawn.cursor);
    assert.equal(prompt?.kind, "confirm", `${JSON.stringify(words)} drawn as ${JSON.stringify(drawn)}`);
  }
});

/** Nothing that moves the cursor or sets colours and modes: only what is drawn. */
function drawable(chance: Random): string {
  return hostileWords(chance)
    .replaceAll(/[\u0080-\u009f].*|[\u0000-\u001f\u007f]+[^a-z]*[a-z]?/gs, "")
    .slice(0, 60)
    .toWellFormed();
}

interface Drawn {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

async function cursorBehind(tmux: (...args: readonly string[]) => string, end: string): Promise<Drawn> {
  for (;;) {
    const shown = tmux("capture-pane", "-p", ";", "display-message", "-p", "#{cursor_y} #{cursor_x}").trimEnd();
    const lines = shown.split("\n");
    const [row = 0, column = 0] = (lines.pop() ?? "").split(" ").map(Number);
    if ((lines[row] ?? "").endsWith(end)) return { lines, cursor: { row, column } };
  }
}
