import type { Random } from "../../../../tmux/test/support/random.ts";

/**
 * A text as people, programs and other models send it: of any length, with all that an input line could mistake. The name
 * makes each another one, so that one is never taken for another; some short ones have none, and may come again.
 */
export function randomText(chance: Random, name: string): string {
  if (chance.below(15) === 0) return pick(chance, tiny);
  return named(anyText(chance), name);
}

function anyText(chance: Random): string {
  const length = lengths[chance.below(lengths.length)] ?? 100;
  const kind = kinds[chance.below(kinds.length)] ?? words;
  let text = pick(chance, fronts);
  for (const wanted = 1 + chance.below(length); text.length < wanted; ) text += kind(chance);
  text += pick(chance, ends);
  // A control character in one of thirty: each of them must be refused. The same of what few can draw.
  if (chance.below(30) === 0) text = inserted(chance, text, pick(chance, controls));
  if (chance.below(30) === 0) text = inserted(chance, text, pick(chance, rare));
  return text.trim() === "" ? `${text}end` : text;
}

const lengths = [12, 12, 60, 60, 60, 200, 200, 900, 2_000, 6_000, 20_000];

const tiny = [
  "  ",
  "\n",
  "a",
  "1",
  "y",
  "n",
  "no",
  "ok",
  "?",
  ".",
  "-",
  ";",
  "&",
  "#",
  "\u05e9",
  "\u{1f44d}\u{1f3fd}",
  "\u0301",
  "日",
];

type Kind = (chance: Random) => string;

const words: Kind = (chance) => `${pick(chance, vocabulary)} `;
const lines: Kind = (chance) => `${pick(chance, vocabulary)} ${pick(chance, vocabulary)}${pick(chance, breaks)}`;
const code: Kind = (chance) => `${pick(chance, snippets)}${pick(chance, breaks)}`;
const signs: Kind = (chance) => `${pick(chance, scripts)} `;
const mixed: Kind = (chance) => pick(chance, [words, lines, code, signs])(chance);
const kinds = [words, words, lines, code, signs, mixed, mixed];

const vocabulary = [
  ...[
    "fix",
    "the",
    "login",
    "redirect",
    "please",
    "and",
    "add",
    "a",
    "test",
    "why?",
    "(it",
    "fails)",
    "now!",
    "see",
    "[y/N]",
  ],
  ...[
    '"quoted"',
    "'single'",
    "`code`",
    "100%",
    "a&b",
    "x;y",
    "C:\\dir",
    "$HOME",
    "#12",
    "~/x",
    "--force",
    "*",
    "<b>",
    "{}",
    "|",
  ],
  ...["[Pasted text #1]", "[Pasted Content 12 chars]", "[paste #1 +3 lines]", "a/b", "user@host.example"],
];
const breaks = ["\n", "\n", "\r\n", "\n\n", "\n\t", "\t", " "];
const snippets = [
  "if (a) {",
  "\treturn a\t+ b;",
  "}",
  "def f(x):",
  "    pass",
  "$ echo hi | cat",
  "x = [1, 2]",
  "// done",
  "<!-- -->",
  "\\n",
];
const scripts = [
  ...["\u{1f469}\u200d\u{1f469}\u200d\u{1f467}", "\u{1f1e9}\u{1f1ea}", "\u2764\ufe0f", "日本語", "äöü"],
  ...["\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627", "e\u0301", "a\u030a", "naïve", "→"],
  ...[
    "\u0e20\u0e32\u0e29\u0e32\u0e17\u0e35\u0e48",
    "\u0928\u092e\u0938\u094d\u0924\u0947",
    "\u1797\u17b6\u179f\u17b6",
    "\u1112\u1161\u11ab",
  ],
];
const fronts = [
  "",
  "",
  "",
  "",
  "",
  "",
  "@",
  "@x ",
  "/",
  "/etc/hosts ",
  "!",
  "!touch ran; ",
  "# ",
  "#",
  "? ",
  "?",
  "\\",
  "& ",
  "; ",
  "- ",
  "  ",
  "\n",
  "\t",
  "$",
  "1. ",
];
const ends = [
  "",
  "",
  "",
  "",
  "",
  "",
  "@",
  " @",
  "/",
  " !",
  "#",
  "?",
  "\\",
  " \\",
  " &",
  ";",
  "$",
  "  ",
  "\n",
  "\n\n",
  "\t",
  ".",
  " @READ",
  ":",
];
const rare = [
  ...["\u{1f44d}\u{1f3fd}", "\u200b", "\u00ad", "\u200f", "\u2060", "\ufeff", "\u061c", "\u034f", "\ufe00", "\u180b"],
  ...["\u2028", "\u2029", "\u3164", "\ufffe", "\u0378", "\ud800", "\u{1f6d8}", "\u{1fae8}", "\ue000"],
  ...["\u0939\u093f\u0928\u094d\u0926\u0940", "\u09a6\u09c1\u09a8\u09bf\u09af\u09be", "\u0bae\u0bc6\u0bbe"],
];
const controls = ["\u0003", "\u001b[31m", "\u001b[201~", "\u0000", "\u0007", "\u007f", "\u0015", "\u009b"];

function pick<One>(chance: Random, from: readonly One[]): One {
  return from[chance.below(from.length)] as One;
}

function inserted(chance: Random, text: string, what: string): string {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}

// In front of the last word, where no mark at either end is hidden by it.
function named(text: string, name: string): string {
  const middle = text.indexOf(" ", Math.floor(text.length / 2));
  return middle < 0 ? `${text} n${name} ${text}` : `${text.slice(0, middle)} n${name}${text.slice(middle)}`;
}
