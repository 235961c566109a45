import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Delivery, PanewardError } from "@paneward/sdk";
import { agentNamed } from "../../../src/agents/registry.ts";
import { planDelivery, withPlainLineEnds } from "../../../src/model/courier/delivery-plan.ts";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";

/** Texts that a composer could run, complete, change or lose. `notes.txt` and `READ.md` are in the folder. */
const difficultTexts: Readonly<Record<string, string>> = {
  "a shell command": "!touch ran",
  "a shell command behind a blank": " !touch ran",
  "a shell command of two lines": "!touch ran\ntouch ran",
  "a shell command of many lines": "!touch ran\n2\n3\n4\n5\n6",
  "a long shell command": `!touch ran; ${words(300)}`,
  "a command of the agent": "/help",
  "a command of the agent with words": "/help me",
  "an unknown command": "/zz thing",
  "a command behind an empty line": "\n/help me",
  "a path first": "/etc/hosts is a file",
  "a word that ends it": "exit",
  "a lone @ at the end": "what is @",
  "a file's name behind @ at the end": "see @READ",
  "a file behind @": "see @notes.txt please",
  "a file elsewhere behind @": "see @/etc/hostname please",
  "a lone $ at the end": "cost is $",
  "the beginning of a skill behind $": "use $skill",
  "a skill behind $": "use $skill-creator please",
  "a backslash at the end": "path C:\\dir\\",
  "backslashes at line ends": "a \\\nb \\",
  "a backslash behind a shell command": "!touch ran \\",
  "a completion behind a shell command": "!touch ran; see /",
  "tabs in a line": "a\tb\t\tc",
  "tabs in many lines": "a\tb\n\tc\nd\ne\tf\ng\nh",
  CRLF: "one\r\ntwo\r\n\r\nthree",
  "CR alone": "one\rtwo",
  "900 characters": words(900),
  "2,000 characters": words(2_000),
  "6,000 characters": words(6_000),
  "20,000 characters": words(20_000),
  "emoji with joiners, flags, skin":
    "family \u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7} \u{1f44d}\u{1f3fd} \u2764\ufe0f end",
  "emoji alone": "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f1e9}\u{1f1ea}",
  "right to left": "shalom \u05e9\u05dc\u05d5\u05dd and \u0645\u0631\u062d\u0628\u0627 end",
  "right to left alone": "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
  "combining marks": "e\u0301 a\u030a nfd",
  "characters that are not drawn": "a\u200bb\u00adc\u200fd",
  "blanks alone": "   ",
  "separators of lines": "a\u2028b\u2029c",
  "characters that terminals leave out": "a\u3164b\uffa0c\ufffed",
  "pictures that are newer than tmux": "\u{1fae9}\u{1f6d8} ok",
  "ignorable characters": "x\ufe00y a\u034fb c\u061cd",
  "vowel signs in cells": "\u0939\u093f\u0928\u094d\u0926\u0940 \u09a6\u09c1\u09a8\u09bf\u09af\u09be",
  "letters with marks":
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0e20\u0e32\u0e29\u0e32\u0e17\u0e35\u0e48 \u1797\u17b6\u179f\u17b6",
  "a byte order mark": "\ufeffhello",
  "blanks at both ends": "  indented  ",
  "empty lines within": "one\n\n\nfour",
  "marks as text": "literal [Pasted text #1 +3 lines] and [Pasted Content 12 chars]",
  "? first": "? what",
  "# first": "# heading",
  "& first, ; last": "& do it;",
  "an escape sequence": "red \u001b[31m text",
  "the end of a paste": "a \u001b[201~ b",
};

/** Each arrives byte for byte with LF at line ends, arrives changed as its receipt says, or is refused at once. */
export async function textsArrive(
  { daemon, model, id, project, screen, becomes }: Bench,
  lab: LabAgent,
  check: (promise: string, keep: (say: (line: string) => void) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  const agent = agentNamed(lab.name, {});
  assert.ok(agent);
  for (const name of ["notes.txt", "READ.md"]) writeFileSync(join(project, name), "a note\n");
  for (const [what, sent] of Object.entries(difficultTexts)) {
    await check(what, async (say) => {
      await becomes("Idle");
      const before = model.prompts.length;
      const text = withPlainLineEnds(sent);
      const outcome = await daemon.client.send({ id, text: sent, ack: 60 }).catch((error: unknown) => error);
      if (outcome instanceof PanewardError) {
        assert.equal(outcome.code, "bad_input", outcome.message);
        assert.ok(outcome.hint);
        say(`refused: ${outcome.message}`);
      } else {
        const { changed, state, reason, way } = outcome as Delivery;
        const plan = planDelivery(agent, { text, enter: true });
        // Beside the input line goes what keys cannot bring.
        assert.ok(plan.kind === "deliver" || way === "http");
        await until("it reaches the model", () => model.prompts.length > before, 20_000).catch(async () => {
          assert.fail(`it never arrived, though it is ${state}: ${reason}; the screen is\n${await screen()}`);
        });
        say(howOf(outcome as Delivery));
        assert.equal(
          model.prompts[before],
          changed === undefined ? text : plan.kind === "deliver" && plan.arrives.text,
        );
        assert.equal(state, "acknowledged", reason ?? "no reason");
      }
      await becomes("Idle");
      assert.equal(model.prompts.length, outcome instanceof PanewardError ? before : before + 1);
      assert.ok(!existsSync(join(project, "ran")), "a shell ran it");
    });
  }
}

function howOf({ changed, way }: Delivery): string {
  const how = changed === undefined ? "arrives as it is" : `arrives changed: ${changed}`;
  return way === undefined ? how : `${how}, ${way}`;
}

function words(length: number): string {
  let text = "";
  for (let at = 0; text.length < length; at += 1) text += `word${at} `;
  return `${text.slice(0, length - 3)}END`;
}
