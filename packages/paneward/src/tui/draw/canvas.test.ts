import assert from "node:assert/strict";
import { test } from "node:test";
import { Canvas } from "./canvas.ts";
import { changesBetween } from "./changes.ts";
import { piecesOf } from "./escapes.ts";

const hostile =
  "a\u001b[2J\u001b]52;c;YQ==\u0007b\u001b]8;;http://evil.test\u001b\\c\u009b2J\u009d0;t\u009cd\re\b\u202ef\u2066\u2028g\u0000\u007fh";

test("a frame holds no sequence, control or reordering mark of the text that it shows", () => {
  const canvas = new Canvas(80, 2);
  canvas.put(0, 0, hostile);
  let x = 0;
  for (const { text, style } of piecesOf(`\u001b[38;5;?9m${hostile}`, "256")) x = canvas.put(x, 1, text, style);
  const own = /\u001b\[[0-9;]*[HJm]|\u001b\[\?(?:2026|25)[hl]/g;
  const drawn = changesBetween(new Canvas(80, 2), canvas).replace(own, "");
  assert.doesNotMatch(drawn, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  assert.match(drawn, /a.*b.*c.*d.*e.*f.*g.*h/);
});

test("a cell holds what a terminal gets: half of a pair, which has no bytes of its own, is the sign for a broken character", () => {
  const canvas = new Canvas(20, 2);
  canvas.put(0, 0, "a\ud800\udb40\udc6d");
  canvas.putScreen(0, 1, "a\ud800\udb40\udc72\udb40\udc6db");
  assert.equal(canvas.texts[0]?.join("").trim(), "a<U+D800><U+E006D>");
  assert.deepEqual(canvas.texts[1]?.slice(0, 4), ["a", "\ufffd\u{e0072}\u{e006d}", "b", " "]);
  const drawn = changesBetween(new Canvas(20, 2), canvas);
  assert.equal(Buffer.from(drawn).toString(), drawn);
});
