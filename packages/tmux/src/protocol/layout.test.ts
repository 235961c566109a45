import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLayout } from "./layout.ts";

test("named layouts and layouts as tmux shows them are allowed", () => {
  for (const layout of ["tiled", "main-vertical", "9295,80x24,0,0[80x11,0,0,0,80x12,0,12,1]", "b25d,80x24,0,0,0"]) {
    assert.equal(checkLayout(layout), layout);
  }
});

test("anything else is refused, because it would crash tmux", () => {
  for (const layout of [
    "",
    "tile",
    "no-such-layout",
    "main-vertical-mirrored",
    "9295",
    "xyz1,80x24,0,0,0",
    "9295,\n",
  ]) {
    assert.throws(() => checkLayout(layout), { type: "name_invalid", delivered: "no" }, layout);
  }
});
