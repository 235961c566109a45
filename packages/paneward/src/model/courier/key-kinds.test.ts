import assert from "node:assert/strict";
import { test } from "node:test";
import { keyKind, piecesOf } from "./key-kinds.ts";

const esc = "\u001b";

test("what a key can do: what is not known to do less may answer and submit", () => {
  const quiet = ["Escape", "Up", "PgDn", "NPage", "Home", "C-c", "C-u"];
  const writing = ["a", "1", "!", "🙂", "Space", "BSpace", "DC", "KP1"];
  const all = [
    "Enter",
    "KPEnter",
    "C-m",
    "C-M",
    "C-j",
    "M-Enter",
    "S-Enter",
    "C-KPEnter",
    "Tab",
    "BTab",
    "C-C-m",
    "C-x",
    "F1",
  ];
  for (const key of quiet)
    assert.deepEqual(keyKind(key), { mayAnswer: false, maySubmit: false, maySwitch: false }, key);
  for (const key of writing)
    assert.deepEqual(keyKind(key), { mayAnswer: true, maySubmit: false, maySwitch: false }, key);
  for (const key of all) assert.deepEqual(keyKind(key), { mayAnswer: true, maySubmit: true, maySwitch: false }, key);
});

const sent: readonly (readonly [bytes: string, pieces: readonly string[]])[] = [
  ["hello", ["writes hello"]],
  ["a\u007fb", ["writes a\u007fb"]],
  ["ls\r", ["writes ls", "all \r"]],
  ["a\r!b\r", ["writes a", "all \r", "writes !b", "all \r"]],
  [`${esc}[A${esc}OB${esc}[5~\u0003`, [`quiet ${esc}[A${esc}OB${esc}[5~\u0003`]],
  [`${esc}[I`, [`quiet ${esc}[I`]],
  ["\u0003\u0018\u0013", ["quiet \u0003", "all \u0018", "quiet \u0013"]],
  [esc, [`quiet ${esc}`]],
  [`${esc}[13u`, [`all ${esc}[13u`]],
  [`${esc}[13u!ls${esc}[27;5;13~`, [`all ${esc}[13u`, "writes !ls", `all ${esc}[27;5;13~`]],
  [`${esc}OM`, [`all ${esc}OM`]],
  [`${esc}\r`, [`all ${esc}\r`]],
  [`${esc}[200~a\rb${esc}[201~\r`, [`writes ${esc}[200~a\rb${esc}[201~`, "all \r"]],
  [`${esc}[200~a\r`, [`all ${esc}[200~`, "writes a", "all \r"]],
  [`${esc}[<0;5;7M${esc}[<64;5;7M`, [`all ${esc}[<0;5;7M`, `quiet ${esc}[<64;5;7M`]],
  ["\u009b13u", ["all \u009b", "writes 13u"]],
];
for (const [bytes, pieces] of sent) {
  test(`what a terminal sends is taken apart: ${JSON.stringify(bytes)}`, () => {
    const kinds = piecesOf(bytes).map(({ bytes: piece, mayAnswer, maySubmit }) => {
      return `${maySubmit ? "all" : mayAnswer ? "writes" : "quiet"} ${piece}`;
    });
    assert.deepEqual(kinds, pieces);
  });
}

test("pieces lose nothing, and none that may not submit holds what could", () => {
  const atoms = ["a", "!", "\r", "\n", "\t", esc, "[", "O", "M", "13u", `${esc}[200~`, `${esc}[201~`, "\u009b", "é"];
  const joined = (parts: readonly string[]) => parts.flatMap((one) => atoms.map((atom) => one + atom));
  for (const bytes of joined(joined(joined(atoms)))) {
    const pieces = piecesOf(bytes);
    assert.equal(pieces.map((one) => one.bytes).join(""), bytes);
    for (const { bytes: piece, maySubmit } of pieces) {
      if (!maySubmit) assert.doesNotMatch(piece.replace(/^\u001b\[200~[^\u001b]*\u001b\[201~$/, ""), /[\r\n]/);
    }
  }
});
