import assert from "node:assert/strict";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { AttentionStage } from "../support/attention-stage.ts";

const prompts = ["Overwrite the file? [y/N] ", "Continue? (yes/no) ", "Do you want to proceed? [Y/n]: "];

test("a prompt that is drawn in pieces, in any rhythm, is one question in its last words", () =>
  fuzz(
    async ({ below, pick }) => {
      const stage = new AttentionStage();
      const [prompt, pieces, maxPauseMs] = [pick(prompts), 1 + below(6), pick([5, 20, 60, 150])];
      stage.start();
      stage.listening = { reads: "no", hidden: false, raw: false };
      await stage.clock.advance(below(300));
      const ends = [...Array.from({ length: pieces - 1 }, () => 1 + below(prompt.length - 1)), prompt.length];
      for (const end of ends.sort((one, other) => one - other)) {
        await stage.clock.advance(below(maxPauseMs));
        stage.prompts(prompt.slice(0, end));
      }
      // It reads only once everything is drawn.
      await stage.clock.advance(below(30));
      const drawnAt = stage.ms;
      stage.listening = { reads: "yes", hidden: false, raw: false, waits: true };
      await stage.clock.advance(30_000);
      const asked = stage.changes.filter((change) => change.includes("needs_input"));
      const told = `${prompt} in ${ends} by ${drawnAt}: ${stage.changes.join("; ")}`;
      assert.equal(asked.length, 1, told);
      assert.ok(asked[0]?.includes(`"${prompt.trim().replace(/:$/, "")}`), told);
      assert.ok(Number.parseInt(asked[0] ?? "", 10) <= drawnAt + (pieces <= 3 ? maxLateMs : maxNoisyLateMs), told);
      stage.attention.stop();
    },
    amount(500, 20_000),
  ));

/** A look that came just before it reads is repeated after this time, and confirmed after a moment. */
const maxLateMs = 150;
/** After many lines without an end that were no prompt, looks wait until the screen has settled. */
const maxNoisyLateMs = 1_000;
