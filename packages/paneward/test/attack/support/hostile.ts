import { hostileText, type Random } from "../../../../tmux/test/support/random.ts";

/** Names that a plain object seems to have. */
export const inheritedNames = [
  ...["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "toLocaleString"],
  ...["__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "propertyIsEnumerable"],
] as const;

const numbers: readonly unknown[] = [
  ...[0, -0, -1, 1, 0.5, 1e-9, 1e21, -1e308, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER, "0", "-1", "1e3", "0x10"],
  ...["١", "1_000", "NaN", "Infinity", "9".repeat(15), "9".repeat(30)],
];

const texts: readonly string[] = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\n",
    "\r\n\r\n",
    "\u001b[31m",
    "\u001b]0;x\u0007",
    "\ud800",
    "\udfff\ud800",
    "\ufeff",
  ],
  ...[
    "%00",
    "%zz",
    "%2e%2e%2f",
    "..",
    ".",
    "../../etc/passwd",
    "/",
    "\\",
    "//",
    "~",
    "$HOME",
    "`id`",
    "'; DROP TABLE events; --",
  ],
  ...[
    "日本語",
    "🙂".repeat(40),
    "e\u0301",
    "\u202egnp.exe",
    "(a+)+b",
    "(?<x>",
    "[",
    "\\",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
  ],
  ...[
    "x".repeat(121),
    "x".repeat(5_000),
    "x".repeat(70_000),
    `${" ".repeat(60_000)}x`,
    `${"@".repeat(60_000)} x`,
    `${" \n".repeat(30_000)}x`,
    "eyJ-".repeat(15_000),
    "e1:0",
    "e1:99999999999999",
    "e0:0-1.1.1.9999.9999agos",
  ],
];

const shapes: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    [],
    [null],
    [[[]]],
    {},
    { length: 3 },
    { toString: 1, valueOf: 2 },
    { toJSON: "x" },
    { catch: 1 },
  ],
  JSON.parse('{"__proto__":{"id":"t1"},"constructor":{"prototype":{"x":1}}}'),
  JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`),
  JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`),
];

/** A value that no honest client would send. */
export function hostileValue(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 2) return random.pick(numbers);
  if (kind < 5) return random.pick(texts);
  if (kind < 7) return random.pick(shapes);
  if (kind < 9) return random.pick(inheritedNames);
  return hostileText(random);
}

/** A good value of which some parts, at any depth, are replaced, left out or added. */
export function mutated(random: Random, value: unknown, rate = 8): unknown {
  if (random.below(rate) === 0) return hostileValue(random);
  if (Array.isArray(value)) {
    const items = value.map((one) => mutated(random, one, rate));
    return random.below(rate * 4) === 0 ? Array.from({ length: 50 }, () => items[0] ?? null) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value)
    .filter(() => random.below(rate * 2) > 0)
    .map(([name, inner]) => [name, mutated(random, inner, rate)] as const);
  const more = random.below(rate * 2) === 0 ? [[random.pick(inheritedNames), hostileValue(random)] as const] : [];
  return Object.fromEntries([...fields, ...more]);
}

/** As JSON, in one of the ways in which clients and attackers write it. */
export function jsonOf(random: Random, value: unknown): Buffer {
  const json = JSON.stringify(value) ?? "null";
  const whole = Buffer.from(json);
  if (random.below(15) > 0) return whole;
  return random.pick<() => Buffer>([
    () => whole.subarray(0, random.below(whole.length)),
    () => Buffer.concat([whole, whole]),
    () => Buffer.from(`\ufeff${json}`),
    () => Buffer.from(json, "utf16le"),
    () => Buffer.from(json.replace("{", `{"deep":${"[".repeat(8_000)}${"]".repeat(8_000)},`)),
    () => Buffer.from(json.replace("{", '{"__proto__":{"scope":"admin"},')),
    () => flipped(random, whole),
    () => Buffer.from(random.pick(["", "[]", "null", '"x"', "3", "NaN", "{}{}", "\u0000", "a=b&c=d", "<xml/>"])),
  ])();
}

/** With a few bytes changed. */
export function flipped(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let left = 1 + random.below(4); left > 0 && changed.length > 0; left--)
    changed[random.below(changed.length)] = random.below(256);
  return changed;
}
