import type { Random } from "../../../tmux/test/support/random.ts";

const pieces: readonly string[] = [
  // What a terminal would obey.
  ...["\u001b[2J\u001b[H", "\u001b[31;47m", "\u001b[10;10H", "\u001b]0;title\u0007", "\u001b]52;c;cm0gLXJmIH4=\u0007"],
  ...[
    "\u001b]8;;http://evil.test\u001b\\link\u001b]8;;\u001b\\",
    "\u001bP+q544e\u001b\\",
    "\u001bc",
    "\u001b[?1049l",
    "\u001b(0",
  ],
  ...[
    "\u009b2J",
    "\u009d0;t\u009c",
    "\u0090q\u009c",
    "\r",
    "\n",
    "\b\b\b",
    "\t",
    "\u000b",
    "\u000e",
    "\u0000",
    "\u007f",
    "\u0007",
  ],
  // What reorders a line, or is not drawn at all.
  ...[
    "\u202egnp.exe\u202c",
    "\u2066x\u2069",
    "\u200f",
    "\u061c",
    "\u200b",
    "\u00ad",
    "\u2060",
    "\ufeff",
    "\u2028",
    "\u2029",
  ],
  ...["\u{e0072}\u{e006d}", "\u200d", "\ufe0f", "\u180e", "\u034f", "\u115f", "\u3164"],
  // Wide characters, clusters that terminals draw in several widths, and marks without end.
  ...[
    "修复登录",
    "한글",
    "ｆｕｌｌ",
    "🚀",
    "👩‍👩‍👧‍👦",
    "❤️",
    "1️⃣",
    "🇨🇭🇨",
    "👍🏽",
    "🏳️‍🌈",
    "ᄒ\u1161\u11ab",
    "क्षत्रिय",
    "ﷺ",
    "𒐫",
    "⁂",
  ],
  ...["שלום", "مرحبا", "e\u0301", `Z${"\u0300\u0334\u0489".repeat(40)}`, "\u0301", "\ud800", "\ue000", "\u{10ffff}"],
  // What a page or a document would obey.
  ...[
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</title><h1>",
    "&lt;b&gt;&#x202e;",
  ],
  ...[
    "javascript:document.title='owned'",
    "[a](javascript:alert(1))",
    "![x](http://evil.test/x.png)",
    "**bold** `code` # head",
  ],
  ...[
    "http://evil.test/",
    "data:text/html,<script>1</script>",
    "{{7*7}}",
    "$((7*7))",
    "%s%n",
    "' OR 1=1",
    '";alert(1)//',
  ],
  // What tmux would obey.
  ...["#{pane_id}", "#(touch /tmp/owned)", "#[fg=red]", "##", "%Y", "-t", "--", ";", "\\;", "$(id)", "`id`"],
  ...["plain", "a b", "deploy", "x".repeat(60), "long ".repeat(30), " ", ""],
];

/** A text of others as a person may get to see it: a name, a branch, a question, a reason, an error. */
export function hostileWords({ below, pick }: Random): string {
  return Array.from({ length: 1 + below(5) }, () => pick(pieces)).join(below(2) === 0 ? "" : " ");
}
