/** A JSON value and where it stands in its text: `start` is its first character, `end` the one behind it. */
export type Tree = (
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly items: readonly Tree[] }
  | { readonly kind: "plain"; readonly value: string | number | boolean | null }
) & { readonly start: number; readonly end: number };

/** `start` is where the name begins, `end` where the value ends. */
export interface Member {
  readonly name: string;
  readonly value: Tree;
  readonly start: number;
  readonly end: number;
}

/** What is wrong with a text, and where. */
class NotJson extends Error {
  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at).split("\n");
    super(`line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${what}`);
  }
}

/** Reads JSON with comments, as agents write and accept it. A comma with nothing behind it is refused. */
export function treeOf(text: string): Tree {
  const reading = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  skip(reading);
  const tree = value(reading, 0);
  skip(reading);
  if (reading.at < text.length) throw new NotJson(text, reading.at, "there is something behind the value");
  return tree;
}

/** Where the blanks and comments that begin at `at` end. */
export function behindBlanks(text: string, at: number): number {
  const reading = { text, at };
  skip(reading);
  return reading.at;
}

/** The value itself, as JSON.parse would give it. */
export function plainly(tree: Tree): unknown {
  if (tree.kind === "plain") return tree.value;
  if (tree.kind === "array") return tree.items.map(plainly);
  return Object.fromEntries(tree.members.map((member) => [member.name, plainly(member.value)]));
}

interface Reading {
  readonly text: string;
  at: number;
}

const deepest = 200;

function value(reading: Reading, depth: number): Tree {
  const first = reading.text[reading.at];
  if (depth > deepest) throw new NotJson(reading.text, reading.at, "it is nested too deeply");
  if (first === "{") return object(reading, depth);
  if (first === "[") return array(reading, depth);
  return plain(reading);
}

function object(reading: Reading, depth: number): Tree {
  const { at: start, text } = reading;
  const members: Member[] = [];
  each(reading, "}", () => {
    const begins = reading.at;
    const name = text[begins] === '"' ? plain(reading) : undefined;
    if (name?.kind !== "plain") throw new NotJson(text, begins, "a name in double quotes is missing");
    if (members.some((one) => one.name === name.value)) {
      throw new NotJson(text, begins, `${JSON.stringify(name.value)} stands here twice`);
    }
    skip(reading);
    take(reading, ":");
    skip(reading);
    const found = value(reading, depth + 1);
    members.push({ name: String(name.value), value: found, start: begins, end: found.end });
  });
  return { kind: "object", members, start, end: reading.at };
}

function array(reading: Reading, depth: number): Tree {
  const { at: start } = reading;
  const items: Tree[] = [];
  each(reading, "]", () => items.push(value(reading, depth + 1)));
  return { kind: "array", items, start, end: reading.at };
}

function each(reading: Reading, close: string, one: () => void): void {
  reading.at += 1;
  skip(reading);
  while (reading.text[reading.at] !== close) {
    one();
    skip(reading);
    if (reading.text[reading.at] === close) break;
    take(reading, ",");
    skip(reading);
    if (reading.text[reading.at] === close) throw new NotJson(reading.text, reading.at, "nothing follows the comma");
  }
  reading.at += 1;
}

const plainValue = /"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function plain(reading: Reading): Tree {
  const { text, at: start } = reading;
  plainValue.lastIndex = start;
  const [word] = plainValue.exec(text) ?? [];
  if (word === undefined) throw new NotJson(text, start, start < text.length ? "no JSON value" : "the text ends early");
  reading.at += word.length;
  try {
    return { kind: "plain", value: JSON.parse(word) as string, start, end: reading.at };
  } catch {
    throw new NotJson(text, start, `${word.slice(0, 40)} is no JSON value`);
  }
}

function take(reading: Reading, wanted: string): void {
  if (reading.text[reading.at] !== wanted) throw new NotJson(reading.text, reading.at, `"${wanted}" is missing`);
  reading.at += 1;
}

const blanks = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

function skip(reading: Reading): void {
  blanks.lastIndex = reading.at;
  reading.at += blanks.exec(reading.text)?.[0].length ?? 0;
}
