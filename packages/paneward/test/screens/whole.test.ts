import assert from "node:assert/strict";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import { agentNamed } from "../../src/agents/registry.ts";
import { type DrawDialog, drawDialogs } from "./draw-dialog.ts";
import { recordedOf } from "./recorded.ts";

const headline = "Would you like to run the following command?";

// Lines that look like a part of some dialog.
const tricks = (columns: number) => [
  ...["", "", headline, `  ${headline}`, "$ ls", "  $ ls", "Reason: none", "Environment: local", "Do you want to proceed?"],
  ...["1. Yes, proceed (y)", "› 1. No", "2. No", "❯ 1. Yes", "● 1. Allow once", "Press enter to confirm or esc to cancel"],
  ...["[… 3 lines] ^a view all", "…", "… +12 lines", "... first 3 lines hidden", "• Running ls", "    + Show details"],
  ...["─".repeat(columns), "╌".repeat(columns), "╌".repeat(columns - 4), ` ${"─".repeat(20)}`, "Bash command"],
  ...["│ touch x", " │ touch x", "┃  △ Permission required", `╭${"─".repeat(columns - 2)}╮`, "Allow once   Allow always   Reject"],
];

function commandOf({ below, pick }: Random, columns: number): string {
  const word = () => pick(["ls", "-la", "touch", "x", "&&", "echo", "'a b'", "日本語", "y".repeat(below(columns + 20) + 1)]);
  const words = () => Array.from({ length: below(14) + 1 }, word).join(pick([" ", " ", "  ", "\t"]));
  const ended = () => `${words()}${pick(["", "", "", " ", " \\", " \\ "])}`;
  const line = () => (below(3) === 0 ? pick(tricks(columns)) : ended());
  const lines = Array.from({ length: pick([1, 1, 2, 3, 6, 12, 40, 90]) }, line);
  return [below(4) === 0 ? pick(tricks(columns)) : words(), ...lines.slice(1)].join("\n");
}

function saidBefore({ below, pick }: Random, columns: number): readonly string[] {
  const said = () => `${pick(["  ", "  ", "• ", "", " "])}${pick([...tricks(columns), "Calling it.", "touch x"])}`;
  return Array.from({ length: below(30) }, said);
}

// The amount of blanks inside a line, and those at its end, cannot be seen.
const visible = (command: string) =>
  command
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trimEnd())
    .join("\n");

for (const [name, draw] of Object.entries(drawDialogs) as readonly (readonly [string, DrawDialog])[]) {
  test(`${name}: what its screen proves whole is the command, whatever that looks like`, async (t) => {
    const agent = agentNamed(name, {});
    let proved = 0;
    await fuzz((random) => {
      const size = { columns: random.pick([40, 80, 100, 160]), rows: random.pick([16, 24, 40, 120]) };
      const command = commandOf(random, size.columns);
      const view = draw(command, size, saidBefore(random, size.columns));
      const question = agent?.readScreen?.(view)?.question;
      if (question?.whole !== true) return;
      proved += 1;
      const shown = `${JSON.stringify(command)} in ${JSON.stringify(size)}:\n${view.lines.join("\n")}`;
      assert.equal(visible(question.proposal?.command ?? ""), visible(command), shown);
      assert.ok(!/\\[ \t]+$/m.test(command), `blanks behind a backslash: ${shown}`);
    }, amount(2_000, 200_000));
    t.diagnostic(`${proved} proved whole`);
    const isProvable = name === "codex" || name === "claude";
    assert.equal(proved > 0, isProvable, "and some, or none, can be proved");
  });
}

test("drawn as the real ones are: what was recorded reads alike", () => {
  for (const [name, draw] of Object.entries(drawDialogs)) {
    const agent = agentNamed(name, {});
    for (const [screen, command] of Object.entries(recordedCommands)) {
      const found = recordedOf(name).find((one) => one.name === screen);
      if (!found) continue;
      const real = agent?.readScreen?.(found.view)?.question;
      const drawn = agent?.readScreen?.(draw(command, { columns: 100, rows: 40 }, []))?.question;
      const facts = (question: typeof real) => [question?.kind, question?.whole, question?.cut];
      assert.deepEqual(facts(drawn), facts(real), `${name}, ${screen}`);
      // How much of a long one is seen depends on the options below it.
      if (real?.cut !== undefined) continue;
      const [ours, theirs] = [drawn, real].map((question) => visible(question?.proposal?.command ?? ""));
      assert.equal(ours, theirs, `${name}, ${screen}`);
    }
  }
});

const recordedCommands = {
  "permission-command": "touch made.txt",
  "tricky-blank-line": "touch first\n\ntouch second",
  "tricky-eighty-lines": Array.from({ length: 80 }, (_, index) => `touch line${index + 1}`).join("\n"),
  "tricky-tabs": "touch\ta\tb",
  "tricky-wide": `touch ${"word ".repeat(40)}end`,
} as const;

test("codex: a label that wraps before `› 1. No` adds no option", () => {
  const view = drawDialogs.codex("touch x", { columns: 60, rows: 40 }, []);
  const at = view.lines.findIndex((line) => line.startsWith("  2. Yes"));
  const label = ["  2. Yes, and don't ask again for commands that start with", "     › 1. No, thanks", "     2. No` (p)"];
  const question = agentNamed("codex", {})?.readScreen?.({ ...view, lines: view.lines.toSpliced(at, 1, ...label) })?.question;
  assert.deepEqual(
    question?.options.map(({ number, label: [yes] }) => `${number} ${yes}`),
    ["1 Y", "2 Y", "3 N"],
  );
});
