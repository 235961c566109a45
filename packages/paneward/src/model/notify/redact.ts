import { mark, not, quoted, secretForms, word } from "./secret-forms.ts";
import { isSecretName } from "./secret-names.ts";

/** A text without what looks like a secret, and whether something was left out. */
export function withoutSecrets(text: string): { readonly text: string; readonly isChanged: boolean } {
  const known = secretForms.reduce((sofar, [pattern, put]) => sofar.replace(pattern, put), text);
  const clean = withoutNamed(known).replace(/[-_+/=A-Za-z0-9]{20,}/g, (run) => (isRandom(run) ? mark : run));
  return { text: clean, isChanged: clean !== text };
}

/** What follows a name that says that it is a secret: `NAME=…`, `"NAME": "…"`, `--NAME …`, `SOME_NAME …`, `<NAME>…`, `the NAME is …`. */
function withoutNamed(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(naming)) {
    const at = found.index + found[0].length;
    const { name, flag, loose, said } = found.groups ?? {};
    const isSet = flag !== undefined || /\S=$/.test(found[0]);
    if (at < from || !isSecretName(name ?? flag ?? loose ?? said ?? "", isSet)) continue;
    following.lastIndex = at;
    const [held] = following.exec(text) ?? [];
    if (held === undefined || ((said ?? loose) !== undefined && !isUnusual(held))) continue;
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
    "(?<loose>(?<=<)[A-Za-z0-9_.-]{2,60}(?=>)|\\b[A-Za-z][A-Za-z0-9]{0,60}(?:_[A-Za-z0-9]{1,60}){1,6}(?=[ \\t]))(?:>|[ \\t]{1,8})",
    "\\b(?<said>pass(?:word|phrase|code|wd)|token|secret|(?:api|access|encryption|private|signing|master|shared) key|pin)(?:[ \\t]+is)?:?[ \\t]+",
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
