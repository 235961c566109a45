import type { PromptOption } from "./prompt.ts";

export interface Choices {
  readonly options: readonly PromptOption[];
  readonly default?: string;
  /** They include a yes and a no. */
  readonly yesNo: boolean;
  /** The text after them: a typed answer, or empty. */
  readonly answer: string;
}

/** The choices at the end of a question: [y/N], (yes/no/[fingerprint]), [y,n,q,?], (y or [n]), [Ynaqdh], [y]es/[n]o. */
export function choicesAtEnd(line: string): Choices | undefined {
  return inBrackets(line) ?? lettersInBrackets(line) ?? bare(line);
}

/** dpkg: *** x (Y/I/N/O/D/Z) [default=N] ?     conda: ([y]/n)?     npm: (yes)     fsck: <y>? */
const bracketed =
  /(?:\(((?:[^()[\]]|\[[^()[\]]{0,30}\]){1,60})\)|\[((?:[^()[\]]|\([^()[\]]{0,30}\)){1,60})\]|<([yn])>)(?:\s*\[default[ =:]*(\w{1,12})\])?\s?[?:>›]{0,3}\s*([^\s\])}]{0,12})$/i;

function inBrackets(line: string): Choices | undefined {
  const found = bracketed.exec(line);
  if (!found) return undefined;
  const inner = found[1] ?? found[2] ?? found[3] ?? "";
  const named = found[4];
  const tokens = split(inner);
  if (!tokens) return undefined;
  const keys = tokens.map(bareKey);
  // [y] marks the default; ssh's [fingerprint] is a placeholder.
  const marked = tokens.filter((token) => /^\[\w{1,3}\]$|^[A-Z]/.test(token));
  const allCapitals = keys.filter((key) => key !== "?").every((key) => /^[A-Z]/.test(key));
  const only = marked.length === 1 ? marked[0] : undefined;
  const fallback =
    named ?? (keys.length === 1 ? keys[0] : allCapitals || only === undefined ? undefined : bareKey(only));
  return choices(keys, fallback, found[5] ?? "");
}

function split(inner: string): readonly string[] | undefined {
  if (/^[yY][nN][a-zA-Z]{0,8}$/.test(inner)) return [...inner];
  const separator = /,/.test(inner) ? /\s*,\s*/ : /\s+or\s+/.test(inner) ? /\s+or\s+/ : /\s*[/|]\s*/;
  const tokens = inner.split(separator).map((token) => token.trim());
  if (tokens.length === 1) return /^(y|n|yes|no)$/i.test(inner) ? tokens : undefined;
  return tokens.every((token) => /^\[?[\w?/.'"=-]{1,14}\]?$/.test(token)) ? tokens : undefined;
}

function bareKey(token: string): string {
  return token.replace(/^[["']|[\]"']$/g, "");
}

/** unzip: replace f? [y]es, [n]o, [A]ll, [N]one, [r]ename:     vim: [O]pen Read-Only, (E)dit anyway, (Q)uit: */
function lettersInBrackets(line: string): Choices | undefined {
  if (!/[?:>]\s*$|[[(]\w[\])]\w{1,15}\s*$/.test(line)) return undefined;
  const found = [...line.matchAll(/[[(](\w)[\])]([A-Za-z][\w -]{0,20})?/g)];
  if (found.length < 2 || found.filter(([, , rest]) => rest).length < 2) return undefined;
  const options = found.map(([, key = "", rest = ""]) => ({ key, label: `${key}${rest}`.trim() }));
  const keys = options.map(({ key }) => key.toLowerCase());
  return { options, yesNo: keys.includes("y") && keys.includes("n"), answer: "" };
}

/** Continue y/n?     Delete it, yes or no? */
function bare(line: string): Choices | undefined {
  const found = /(?:^|[\s,])(y\/n|yes\/no|y or n|yes or no)\s?[?:>]{1,2}\s*(\S{0,4})$/i.exec(line);
  return found?.[1] ? choices(found[1].split(/\/| or /), undefined, found[2] ?? "") : undefined;
}

function choices(keys: readonly string[], fallback: string | undefined, answer: string): Choices {
  const has = (word: RegExp) => keys.some((key) => word.test(key));
  const single = keys.length === 1;
  return {
    options: keys.map((key) => ({ key, label: labels[key.toLowerCase()] ?? key })),
    ...(fallback === undefined ? {} : { default: fallback }),
    yesNo: single || (has(/^y(es)?$/i) && has(/^no?$/i)),
    answer,
  };
}

const labels: Readonly<Record<string, string>> = { y: "yes", n: "no" };
