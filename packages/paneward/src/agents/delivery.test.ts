import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { planDelivery } from "../model/courier/delivery-plan.ts";
import { agentNamed, codingAgents } from "./registry.ts";

// What each agent does with a text was seen on the real programs; `textsArrive` in the lab sends the same ones.

/** As it is; with keys around it; changed; or refused. */
type Row = readonly [text: string, ...outcomes: readonly [agents: string, outcome: string][]];

const all = "claude codex gemini opencode pi";
const command = "would take it for one of its own commands";
const asIs = "as it is";
const space = "then Space";

const rows: readonly Row[] = [
  ["fix the login", [all, asIs]],
  ["wow! great", [all, asIs]],
  ["/etc/hosts is a file", [all, asIs]],
  ["# heading", [all, asIs]],
  ["two\nlines", [all, asIs]],
  ["mail a@b.example now", ["claude codex opencode pi", asIs], ["gemini", "would put the file that @ names into it"]],
  [
    "!ls",
    ["claude", "behind x, then C-a DC"],
    ["codex pi", "would run it as a shell command"],
    ["gemini opencode", asIs],
  ],
  ["!ls\ntwo\nthree", ["claude codex pi", "would run it as a shell command"], ["gemini opencode", asIs]],
  ["!ls\n2\n3\n4", ["claude", "behind x, then C-a DC"], ["codex pi", "would run it as a shell command"]],
  ["!ls \\", ["claude", "behind x, then C-a DC"]],
  ["!ls; see /", ["claude", "behind x, then C-a DC"]],
  ["!ls; see @", ["claude", "behind x, then C-a DC"]],
  [" !ls", ["claude", "behind x, then C-a DC"], ["codex pi", "would run it as a shell command"]],
  ["/help", ["claude gemini opencode pi", command], ["codex", "behind  , then Space"]],
  ["/help me", ["claude gemini opencode pi", command], ["codex", "behind  "]],
  ["/mcp:x y\nmore", ["claude gemini opencode pi", command], ["codex", "behind  "]],
  [" \n/help", ["claude gemini opencode pi", command]],
  ["path C:\\dir\\", ["claude gemini pi", space], ["codex opencode", asIs]],
  [
    "see @READ",
    ["claude codex pi", space],
    ["gemini", "would put the file that @ names into it"],
    ["opencode", "would complete what @ names, instead of taking Enter"],
  ],
  [
    "what is @",
    ["claude codex gemini pi", space],
    ["opencode", "would complete what @ names, instead of taking Enter"],
  ],
  ["use $skill", ["claude codex pi", space], ["gemini opencode", asIs]],
  ["use $skill-creator please", ["codex", "would attach the skill that $ names"], ["claude gemini opencode pi", asIs]],
  ["echo $HOME and $file", ["gemini opencode", asIs], ["codex claude pi", space]],
  ["/2fix it", ["claude gemini opencode pi", command], ["codex", "behind  "]],
  ["/_x", ["claude gemini opencode pi", command]],
  ["/überprüfe", ["claude gemini opencode pi", command]],
  ['/"quoted" text', ["claude gemini opencode pi", asIs], ["codex", "behind  "]],
  ["/@x: fix\nit", ["codex", "behind  "]],
  [
    "thumbs \u{1f44d}\u{1f3fd} up",
    ["claude pi", "would draw it so that its input line cannot be read"],
    ["codex gemini opencode", asIs],
  ],
  ["\t1\n2\n3\n", ["opencode", "changed: blanks and empty lines at its ends are dropped"]],
  ["  1\n2 ", ["opencode", asIs]],
  [" \u0301\u0308 ", [all, "would draw nothing of it"]],
  ["// a comment", ["claude codex opencode", asIs]],
  ...[
    "@src/../../../../etc/passwd",
    "@./../secret",
    '@"src/../../x"',
    '@"code-reviewer (agent)"',
    "@server:secret://x",
  ].map((name): Row => [`see ${name} please`, ["claude", "would attach the file, or call the agent, that @ names"]]),
  ["see @src/a..b.ts and @x/...md now", ["claude", asIs]],
  ["exit", ["claude opencode", "would end itself"], ["codex gemini pi", asIs]],
  [`C:\\${"x".repeat(801)}\\`, ["claude", asIs], ["gemini pi", space]],
  ["1\n2\n3\n\te\u0301 \n", ["claude", "changed: a tab arrives as four blanks"]],
  ["how do I exit", [all, asIs]],
  [
    "look at @/etc/passwd now",
    ["claude", "would attach the file, or call the agent, that @ names"],
    ["codex pi", asIs],
  ],
  ["look at @src/a.ts now", ["claude codex opencode pi", asIs]],
  ["/tmp/a.png", ["claude codex", "would attach the picture"]],
  ["look at /tmp/a.png", ["claude codex", "would attach the picture"]],
  ["a\u200bb", ["claude gemini", "would drop the characters in it that cannot be seen"], ["codex opencode", asIs]],
  ["\u{1f469}\u200d\u{1f467} \u{1f1e9}\u{1f1ea} \u2764\ufe0f \u05e9\u05dc", [all, asIs]],
  ["a\tb", ["claude pi", "changed: a tab arrives as four blanks"], ["codex gemini opencode", asIs]],
  [
    "e\u0301",
    ["claude", "changed: letters with combining marks arrive composed (NFC)"],
    ["codex gemini opencode pi", asIs],
  ],
  [
    " both ends\n",
    ["claude", "changed: blanks and empty lines at its end are dropped"],
    ["codex gemini pi", "changed: blanks and empty lines at its ends are dropped"],
    ["opencode", asIs],
  ],
  ["a\u001bb", [all, "would take the control character U+001B in it for a key"]],
  ["a\u009b201~b", [all, "would take the control character U+009B in it for a key"]],
  ["a\u0000b", [all, "would take the control character U+0000 in it for a key"]],
  ...["  ", "\n\n", "\t \n", "\u00a0"].map((blanks): Row => [blanks, [all, "would find nothing but blanks in it"]]),
  ...[
    ["a\u2028b", "2028"],
    ["a\u2029b", "2029"],
    ["a\ufffeb", "FFFE"],
    ["a\u0378b", "0378"],
    ["a\ud800b", "D800"],
    ["a\u3164b", "3164"],
    ["a\u115fb", "115F"],
    ["a\uffa0b", "FFA0"],
    ["a\u{1f6d8}b", "1F6D8"],
  ].map(([text = "", code]): Row => [text, [all, `would lose or change U+${code} in it, which terminals do not draw`]]),
  ...["x\ufe00y", "a\u034fb", "a\u061cb", "a\u180bb"].map(
    (text): Row => [
      text,
      ["claude", "would drop the characters in it that cannot be seen"],
      ["codex gemini opencode pi", asIs],
    ],
  ),
  [
    "\u0939\u093f\u0928\u094d\u0926\u0940",
    ["claude", "would draw it so that its input line cannot be read"],
    ["codex gemini pi", asIs],
  ],
  ["\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22\u0e17\u0e35\u0e48", [all, asIs]],
  ["\ufeffbom", ["codex", asIs]],
  ["\u{1fae8} \u{1f600}", [all, asIs]],
];

describe("a text in the input line of", () => {
  for (const name of codingAgents) {
    test(name, () => {
      const agent = agentNamed(name, {});
      assert.ok(agent);
      for (const [text, ...outcomes] of rows) {
        const expected = outcomes.find(([agents]) => agents.split(" ").includes(name))?.[1];
        if (expected === undefined) continue;
        assert.equal(outcomeOf(planDelivery(agent, { text, enter: true })), expected, JSON.stringify(text));
      }
    });
  }

  test("no agent: text without Enter gets no key at its end", () => {
    const claude = agentNamed("claude", {});
    assert.ok(claude);
    assert.equal(outcomeOf(planDelivery(claude, { text: "see @READ", enter: false })), asIs);
  });
});

function outcomeOf(plan: ReturnType<typeof planDelivery>): string {
  if (plan.kind === "refused") {
    assert.notEqual(plan.hint, "");
    return plan.reason.replace(/^\S+ (.*); nothing was typed$/, "$1");
  }
  const { before, keys, arrives } = plan;
  const parts = [
    ...(before === "" ? [] : [`behind ${before}`]),
    ...(keys.length === 0 ? [] : [`then ${keys.join(" ")}`]),
    ...(arrives.changed === undefined ? [] : [`changed: ${arrives.changed}`]),
  ];
  return parts.length === 0 ? asIs : parts.join(", ");
}

test("Gemini takes a text that it could take for a command only when it rests", () => {
  const { lostAtWork } = agentNamed("gemini", {})?.deliver ?? {};
  const lost = ["/etc/hosts", "  /\u{1f1e9}\u{1f1ea} x", "/", "//x", "/*x", "a /b"].filter((text) =>
    lostAtWork?.test(text),
  );
  assert.deepEqual(lost, ["/etc/hosts", "  /\u{1f1e9}\u{1f1ea} x", "/"]);
});

// A text may have two million characters, and looking at one must not keep everybody waiting.
test("no pattern of an agent looks at a character of a long text again and again", () => {
  const long = (piece: string) => piece.repeat(60_000 / piece.length);
  const texts = [" ", "@", "/", "\\", "\n", "a", "@a", "a ", " \n", ".png", "!"].flatMap((piece) =>
    ["", "@", "!", "/"].flatMap((before) => [" x", "\n!"].map((after) => before + long(piece) + after)),
  );
  for (const name of codingAgents) {
    const { deliver = {} } = agentNamed(name, {}) ?? {};
    for (const pattern of patternsIn(deliver)) {
      const { user: before } = process.cpuUsage();
      for (const text of texts) {
        pattern.test(text);
        const ms = (process.cpuUsage().user - before) / 1_000;
        assert.ok(ms < 500, `${name}: ${pattern} needs ${ms} ms`);
      }
    }
  }
});

function patternsIn(rules: object): readonly RegExp[] {
  return Object.values(rules).flatMap((rule) => {
    if (rule instanceof RegExp) return [rule];
    return typeof rule === "object" && rule !== null ? patternsIn(rule) : [];
  });
}
