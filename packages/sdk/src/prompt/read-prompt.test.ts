import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isQuestion, type Prompt, type ScreenCursor } from "./prompt.ts";
import { readPrompt } from "./read-prompt.ts";

interface Screen {
  readonly name: string;
  readonly expected: string;
  readonly rows: readonly string[];
  readonly cursor: ScreenCursor | undefined;
}

const waiting = screensOf("waits");
const printing = screensOf("prints");
const all = [...waiting, ...printing];

describe("the prompt reader", () => {
  for (const { name, expected, rows, cursor } of all) {
    test(`${expected}: ${name}`, () => {
      const prompt = readPrompt(rows, cursor);
      assert.equal(prompt?.kind ?? "none", expected, JSON.stringify(prompt));
    });
  }

  test("is measured on enough screens", (t) => {
    assert.ok(waiting.length >= 120, `${waiting.length} screens that wait`);
    assert.ok(printing.length >= 120, `${printing.length} screens that print`);
    const { precision, recall } = measure(all);
    t.diagnostic(`with the cursor: ${summary(all)}`);
    t.diagnostic(`without the cursor: ${summary(all.map((screen) => ({ ...screen, cursor: undefined })))}`);
    assert.ok(precision >= 0.99 && recall >= 0.99);
  });
});

describe("fields of a prompt", () => {
  const details: readonly (readonly [string, Partial<Prompt>])[] = [
    ["apt", { text: "Do you want to continue? [Y/n]", default: "Y", confidence: "sure" }],
    ["npx", { default: "y", options: [{ key: "y", label: "yes" }] }],
    ["conda", { default: "y", options: yesNo("y", "n") }],
    ["gdb, recorded", { default: "n", options: yesNo("y", "n") }],
    ["ssh host key, old", { options: [keyed("yes"), keyed("no")] }],
    ["ssh host key", { options: ["yes", "no", "fingerprint"].map(keyed) }],
    [
      "ssh host key in a narrow pane",
      { text: "Are you sure you want to continue connecting (yes/no/[fingerprint])?", confidence: "sure" },
    ],
    ["dpkg conffile", { default: "N" }],
    ["rails", { default: "Y" }],
    ["terraform apply", { text: "Do you want to perform these actions?", options: [keyed("yes")] }],
    ["clack", { text: "Install dependencies?", options: [{ label: "Yes", selected: true }, { label: "No" }] }],
    ["gum confirm", { text: "Delete the branch?", options: [{ label: "Yes" }, { label: "No" }] }],
    ["whiptail", { text: "Restart services during package upgrades without asking?" }],
    ["read -p with the answer being typed, recorded", { confidence: "likely" }],
    ["bare without a cursor", { confidence: "likely" }],
    [
      "claude's permission",
      {
        text: "Do you want to proceed?",
        options: [
          { key: "1", label: "Yes", selected: true },
          { key: "2", label: "Yes, and always allow access to project/ from this project" },
          { key: "3", label: "Yes, allow all edits during this session" },
          { key: "4", label: "No" },
        ],
      },
    ],
    [
      "claude's question with descriptions",
      {
        text: "Which color?",
        options: [
          { key: "1", label: "Red", selected: true },
          { key: "2", label: "Blue" },
          { key: "3", label: "Type something." },
          { key: "4", label: "Chat about this" },
        ],
      },
    ],
    [
      "gemini's approval",
      {
        text: "Allow execution of: 'touch'?",
        options: [
          { key: "1", label: "Allow once", selected: true },
          { key: "2", label: "Allow for this session" },
          { key: "3", label: "No, suggest changes (esc)" },
        ],
      },
    ],
    ["numbers and a line that asks", { text: "Please choose a region:" }],
    ["numbers, and a choice that says nothing", { text: "Which greeting shall I use?" }],
    ["pip-like single digits", { text: "Your choice:" }],
    ["git clean -i", { text: "What now>" }],
    [
      "bash select, recorded",
      {
        text: "#?",
        options: ["foo", "bar", "baz", "long option here", "five", "six", "seven"].map((label, index) => ({
          key: String(index + 1),
          label,
        })),
      },
    ],
    [
      "inquirer select",
      { options: [{ label: "React", selected: true }, { label: "Vue" }, { label: "Svelte" }], confidence: "sure" },
    ],
    [
      "inquirer checkbox",
      {
        options: [
          { label: "TypeScript", selected: true, checked: true },
          { label: "Router", checked: false },
          { label: "Vuex", checked: false },
        ],
      },
    ],
    [
      "checkboxes with a pointer",
      {
        text: "Which tests should run?",
        options: [
          { label: "unit", selected: true, checked: true },
          { label: "integration", checked: false },
          { label: "browser", checked: false },
        ],
      },
    ],
    ["unzip, recorded", { options: letters("yes", "no", "All", "None", "rename") }],
    ["vim swap file", { options: letters("Open Read-Only", "Edit anyway", "Recover", "Quit", "Abort") }],
    ["npm init", { default: "p" }],
    ["openssl req, recorded", { default: "AU" }],
    ["ssh-keygen's file, recorded", { default: "/home/.ssh/id_ed25519" }],
  ];
  for (const [name, expected] of details) {
    test(name, () => {
      const screen = waiting.find((one) => one.name === name);
      assert.ok(screen);
      assert.partialDeepStrictEqual(readPrompt(screen.rows, screen.cursor), expected);
    });
  }

  test("ssh's [fingerprint] is not a default, nor is a capital among capitals", () => {
    for (const line of ["Connect (yes/no/[fingerprint])?", "Proceed [Y/N]?"]) {
      const prompt = readPrompt([line], { row: 0, column: line.length + 1 });
      assert.deepEqual([prompt?.kind, prompt?.default], ["confirm", undefined]);
    }
  });

  test("a shell and a REPL are not questions, the rest are", () => {
    const of = (kind: Prompt["kind"]): Prompt => ({ kind, text: "", rule: "", confidence: "sure" });
    assert.deepEqual(
      (["shell", "repl", "confirm", "pager", "menu"] as const).map((kind) => isQuestion(of(kind))),
      [false, false, true, true, true],
    );
  });

  test("an empty screen or a cursor outside of it gives no prompt", () => {
    assert.equal(readPrompt([]), undefined);
    assert.equal(readPrompt(["", ""], { row: 1, column: 0 }), undefined);
    assert.equal(readPrompt(["Continue? [y/N]"], { row: 40, column: 7 }), undefined);
  });

  const units = ["a", " ", "(", "[y/", "y/n,", "? ", "> ", "press enter ", "password for ", "1) a  ", "❯ ", "│ ", "\t"];
  test("a line of 1 MB is read to its end, whatever it contains", () => {
    for (const unit of units) {
      const rows = [unit.repeat(1_000_000 / unit.length), "", "Continue? [y/N]"];
      for (const cursor of [undefined, { row: 2, column: 15 }]) {
        assert.equal(readPrompt(rows, cursor)?.kind, "confirm", JSON.stringify(unit));
      }
      for (const cursor of [undefined, { row: 0, column: 80 }, { row: 1, column: 0 }])
        readPrompt(rows.slice(0, 2), cursor);
    }
  });
});

function keyed(key: string) {
  return { key, label: key };
}

function yesNo(yes: string, no: string) {
  return [
    { key: yes, label: "yes" },
    { key: no, label: "no" },
  ];
}

function letters(...labels: readonly string[]) {
  return labels.map((label) => ({ key: label.charAt(0), label }));
}

/** A question counts as a hit; a shell, a REPL and plain output do not. */
function measure(screens: readonly Screen[]) {
  const results = screens.map(({ rows, cursor, expected }) => ({ expected, prompt: readPrompt(rows, cursor) }));
  const asks = (prompt: Prompt | undefined) => prompt !== undefined && isQuestion(prompt);
  const wanted = (expected: string) => !["none", "shell", "repl"].includes(expected);
  const right = results.filter(({ expected, prompt }) => wanted(expected) && asks(prompt)).length;
  const positives = results.filter(({ prompt }) => asks(prompt)).length;
  const questions = results.filter(({ expected }) => wanted(expected)).length;
  const kinds = results.filter(({ expected, prompt }) => (prompt?.kind ?? "none") === expected).length;
  return { precision: right / positives, recall: right / questions, questions, kinds: kinds / results.length };
}

function summary(screens: readonly Screen[]): string {
  const { precision, recall, questions, kinds } = measure(screens);
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  return `${screens.length} screens, ${questions} questions: precision ${percent(precision)}, recall ${percent(recall)}, exact kind ${percent(kinds)}`;
}

/** A file of screens: ════ kind: name, then the rows, with ▮ at the cursor. */
function screensOf(file: string): readonly Screen[] {
  const text = readFileSync(new URL(`screens/${file}.txt`, import.meta.url), "utf8");
  return text
    .split(/^════ /m)
    .slice(1)
    .map((part) => {
      const [head = "", ...rows] = part.replace(/\n$/, "").split("\n");
      const [, expected = "", name = ""] = /^(\w+): (.*)$/.exec(head) ?? [];
      const row = rows.findIndex((line) => line.includes("▮"));
      const column = rows[row]?.indexOf("▮") ?? -1;
      const plain = rows.map((line) => line.replace("▮", "").trimEnd());
      return { name, expected, rows: plain, cursor: row < 0 ? undefined : { row, column } };
    });
}
