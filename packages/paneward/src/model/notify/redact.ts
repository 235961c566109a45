import { isSecretName } from "./secret-names.ts";

/** A text without what looks like a secret, and whether something was left out. */
export function withoutSecrets(text: string): { readonly text: string; readonly isChanged: boolean } {
  const known = forms.reduce((sofar, [pattern, put]) => sofar.replace(pattern, put), text);
  const clean = withoutNamed(known).replace(/[-_+/=A-Za-z0-9]{20,}/g, (run) => (isRandom(run) ? mark : run));
  return { text: clean, isChanged: clean !== text };
}

const mark = "[secret]";
const not = "(?!\\[secret\\])";
const word = "[^\\s\"'`│]+";
const quoted = "\\\\?\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'[^'\\n]*'?|`[^`\\n]*`?";
const value = `${not}(?:${quoted}|${word})`;
/** A terminal broke the line. */
const more = "(?:[ \\t│|]*\\n[ \\t│|]*(?=[-_+/=A-Za-z]*(?:\\d|[a-z][A-Z]))[-_+/=A-Za-z0-9]{4,})?";

// A false alarm costs a button; a miss costs a secret. Each looks at most a few hundred letters ahead, so that no text is slow.
const forms: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----|$)/g, mark],
  // Keys by the beginnings that their services gave them.
  [form("(?:sk|pk|rk)[-_](?:live|test|ant|proj|or|svcacct)?[-_A-Za-z0-9]{16,}"), mark],
  [form("(?:gh[pousr]|npm|hf|tk|dop_v1)_[A-Za-z0-9]{12,}"), mark],
  [form("(?:github_pat|pypi|xox[a-z]|xapp|shpat|whsec|glpat|tskey)[-_][-_+/=A-Za-z0-9]{12,}"), mark],
  [form("(?:AKIA|ASIA)[A-Z0-9]{16}\\b"), mark],
  [form("(?:AIza|AGE-SECRET-KEY-|ya29\\.|SG\\.|\\d{6,12}:AA)[-_.A-Za-z0-9]{20,}"), mark],
  [form("eyJ[-_A-Za-z0-9]{8,}(?:\\.[-_A-Za-z0-9]*){1,4}"), mark],
  [/\bpw[a-z]?_[0-9a-f]{6,}[-_0-9A-Za-z]*/g, mark],
  // Places that hold nothing but secrets.
  [new RegExp(`(://[^\\s/:@"'\`]{0,200}:)${not}[^\\s"'\`]{1,500}@`, "g"), `$1${mark}@`],
  [/(:\/\/)[-_A-Za-z0-9]{16,}@/g, `$1${mark}@`],
  [/(\/(?:services|api\/webhooks)\/)[-\w]+\/[-\w/]{8,}/g, `$1${mark}`],
  [new RegExp(`\\b((?:Bearer|Basic|Digest)\\s+)${not}[-_+/=.~A-Za-z0-9]{8,}`, "gi"), `$1${mark}`],
  [new RegExp(`(\\bcookie:\\s*)${not}[^\\s"'][^"'\\n]*`, "gi"), `$1${mark}`],
  [new RegExp(`(\\bsshpass\\s+-p\\s*)${value}`, "g"), `$1${mark}`],
  [new RegExp(`(\\bmysql\\w*[^\\n|;&]{0,300}?\\s-p)${value}`, "g"), `$1${mark}`],
  [
    new RegExp(`(\\s(?:-u|-U|--user|--proxy-user)[ =]?["']?[^\\s:"'/]{1,100}:)(?!\\d+(?:\\s|$))${value}`, "g"),
    `$1${mark}`,
  ],
  [new RegExp(`(\\b(?:machine|login)\\s[^\\n]{0,200}?\\bpassword\\s+)${value}`, "g"), `$1${mark}`],
];

function form(pattern: string): RegExp {
  return new RegExp(`\\b${pattern}${more}`, "g");
}

/** What follows a name that says that it is a secret: `NAME=…`, `"NAME": "…"`, `--NAME …`, `the NAME is …`. */
function withoutNamed(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(naming)) {
    const at = found.index + found[0].length;
    const { name, flag, said } = found.groups ?? {};
    const isSet = flag !== undefined || /\S=$/.test(found[0]);
    if (at < from || !isSecretName(name ?? flag ?? said ?? "", isSet)) continue;
    following.lastIndex = at;
    const [held] = following.exec(text) ?? [];
    if (held === undefined || (said !== undefined && !isUnusual(held))) continue;
    parts.push(text.slice(from, at), mark);
    from = at + held.length;
  }
  return parts.join("") + text.slice(from);
}

const naming = new RegExp(
  [
    // `a::b` and `a == b` give no value.
    "(?<![A-Za-z0-9_.-])(?<name>[A-Za-z0-9_.-]{2,100})[\"'\\\\\\]]{0,3}[ \\t]{0,8}(?:=>|:=|=(?!=)|:(?!:))[ \\t]{0,8}",
    "(?<=^|[\\s\"'`(])--?(?<flag>[A-Za-z0-9_-]{3,60})[ \\t]+(?!-)",
    "\\b(?<said>pass(?:word|phrase|code|wd)|token|secret|api key|access key|pin)(?:[ \\t]+is)?:?[ \\t]+",
  ].join("|"),
  "gi",
);
const following = new RegExp(`${not}(?:${quoted}|(?:(?:bearer|basic|token|apikey)[ \\t]+${not})?${word})`, "iy");

/** In a sentence, "the password is wrong" tells nothing, and "the password is hunter22" does. */
function isUnusual(held: string): boolean {
  const inside = held.replace(/^["'`(]+|["'`).,:;?!]+$/g, "");
  return inside.length >= 5 && /\d|[a-z][A-Z]|[^\p{L}\p{N}/'-]/u.test(inside) && !/^[\d.]+$/.test(inside);
}

/** Letters in an order that no name has: capitals, small ones and digits in turn. */
function isRandom(run: string): boolean {
  if (!/\d/.test(run) || !/[a-z]/.test(run)) return false;
  const kinds = [...run].map((letter) =>
    /\d/.test(letter) ? 0 : /[a-z]/.test(letter) ? 1 : /[A-Z]/.test(letter) ? 2 : 3,
  );
  const turns = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length / run.length;
  if (/[A-Z]/.test(run)) return turns >= (run.includes("/") || run.includes("-") ? 0.45 : 0.35);
  // Hashes of commits and images are no secrets.
  return run.length >= 30 && turns >= 0.3 && !/^[0-9a-f-]+$/.test(run);
}
