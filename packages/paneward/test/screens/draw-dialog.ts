import type { ScreenView } from "../../src/agents/agent.ts";

/** A dialog for a command as the real program draws it: measured with Codex 0.166, Claude Code 2.1, Gemini 0.61 and opencode 1.18. */
export type DrawDialog = (command: string, size: Size, said: readonly string[]) => ScreenView;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The dialog is always seen from its first line; the end of one that does not fit is left out. Tabs are not drawn. */
const codex: DrawDialog = (command, { columns, rows }, said) => {
  const width = columns - 4;
  const [first = "", ...more] = command.split("\n");
  const content = [
    "Would you like to run the following command?",
    ...["", "Environment: local", "", "Reason: It makes a file", ""],
    ...[`$ ${first}`, ...more].flatMap((line) => wrapped(undrawn(line), width)),
  ];
  const always = "  2. Yes, and don't ask again for commands that start with `touch` (p)";
  const options = ["› 1. Yes, proceed (y)", always, "  3. No, and tell Codex what to do differently (esc)"];
  const footer = "  Press enter to confirm or esc to cancel";
  const room = rows - options.length - 2;
  const inset = (lines: readonly string[]) => lines.map((line) => `  ${line}`.trimEnd());
  if (content.length + 3 > room) {
    const shown = content.slice(0, Math.max(1, room - 1));
    const mark = `  [… ${content.length} lines] ^a view all`;
    return { columns, lines: ["", ...inset(shown), mark, ...options, footer].slice(-rows) };
  }
  const cell = cutTo(`• Running ${first.replaceAll("\t", "   ")}${more.length > 0 ? " …" : ""}`, columns);
  const above = [...said, "", cell.trimEnd(), ...(more.length > 0 ? ["    + Show details"] : []), "", ""];
  const dialog = [...inset(content), "", "", ...options, "", footer];
  return { columns, lines: [...above, ...dialog].slice(-rows) };
};

/** Its first lines leave the screen when it is too high. Several rows have a bar; tabs are blanks. */
const claude: DrawDialog = (command, { columns, rows }, said) => {
  const lines = command.split("\n").flatMap((line) => wrapped(line.replaceAll("\t", "        "), columns - 4));
  const drawn = lines.length === 1 ? lines.map((line) => ` ${line}`) : lines.map((line) => ` │ ${line}`.trimEnd());
  const dialog = [
    ...["─".repeat(columns), " Bash command", " Runs it", "╌".repeat(columns)],
    ...drawn.map((line) => line.trimEnd()),
    ...["╌".repeat(columns), " Do you want to proceed?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"],
  ];
  return { columns, lines: [...said, "", ...dialog].slice(-rows) };
};

/** Its first lines are hidden when there are too many, and so is what is inside an escape sequence. */
const gemini: DrawDialog = (command, { columns, rows }, said) => {
  const inside = columns - 4;
  const row = (text: string) => `│ ${text.padEnd(inside)} │`;
  const all = command.split("\n").flatMap((line) => wrapped(line.replaceAll("\t", "    "), inside - 4));
  const room = Math.max(2, rows - 12);
  const shown = all.length <= room ? all : [`... first ${all.length - room} lines hidden`, ...all.slice(-room)];
  const dialog = [
    `╭${"─".repeat(columns - 2)}╮`,
    row("? Shell  Runs it"),
    row(`╭${"─".repeat(inside - 2)}╮`),
    ...shown.map((line) => row(`│ ${line.padEnd(inside - 4)} │`)),
    row(`╰${"─".repeat(inside - 2)}╯`),
    ...["Allow execution of [Shell]?", "", "● 1. Allow once", "  2. No, suggest changes (esc)"].map(row),
    `╰${"─".repeat(columns - 2)}╯`,
  ];
  return { columns, lines: [...said, "", ...dialog].slice(-rows) };
};

/** Seven lines, and nothing says that there are more. */
const opencode: DrawDialog = (command, { columns, rows }, said) => {
  const [first = "", ...more] = command.split("\n");
  const all = [`$ ${first}`, ...more].flatMap((line) => wrapped(line.replaceAll("\t", "  "), columns - 9));
  const dialog = ["", "△ Permission required", "  # Shell command", "", ...all.slice(0, 7), "", ""];
  const buttons = " Allow once   Allow always   Reject     ⇆ select  enter confirm";
  return { columns, lines: [...said, "", ...[...dialog, buttons, ""].map((line) => `  ┃  ${line}`)].slice(-rows) };
};

export const drawDialogs = { codex, claude, gemini, opencode } as const;

// By words, and within a word that is too long.
function wrapped(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  while (columnsOf(rest) > width) {
    const fits = [...rest].slice(0, fitting(rest, width)).join("");
    const blank = rest[fits.length] === " " ? fits.length : fits.lastIndexOf(" ");
    const end = blank > 0 && fits.slice(0, blank).trim() !== "" ? blank : fits.length;
    rows.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).replace(/^ /, "");
  }
  return [...rows, rest];
}

function fitting(text: string, width: number): number {
  const chars = [...text];
  let [used, count] = [0, 0];
  while (count < chars.length && used + columnsOf(chars[count] ?? "") <= width) used += columnsOf(chars[count++] ?? "");
  return Math.max(1, count);
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (/[\u1100-\u115f\u2e80-\uffdc]/u.test(char) ? 2 : 1), 0);
}

function cutTo(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}

function undrawn(line: string): string {
  return line.replaceAll("\t", "");
}
