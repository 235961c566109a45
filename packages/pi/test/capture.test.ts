import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../tmux/test/support/random.ts";
import { capture } from "../src/team/capture.ts";
import type { TeamContext } from "../src/team/context.ts";

test("a capture is cut to a number of characters, at the top, never inside of one; its last line says so", async (t) => {
  const { below, pick } = random(t);
  for (let round = 0; round < 60; round++) {
    const line = pick(["x", "😀", "日本", "a😀"]);
    const screen = `${Array.from({ length: below(800) }, () => line.repeat(below(500))).join("\n")}\n`;
    const { text, clamped } = await capture(
      { tmux: { capture: async () => screen } } as unknown as TeamContext,
      "worker1",
    );
    const [, kept = "", mark] = /^(.*?)(\[truncated: [^\n]*\])?$/s.exec(text) ?? [];
    assert.ok(text.length <= 100_100 && text.isWellFormed());
    assert.ok(screen.endsWith(kept));
    assert.deepEqual([mark !== undefined, screen.length > 100_000], [clamped, clamped]);
  }
});
