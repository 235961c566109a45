import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceIndex } from "./places.ts";

const place = { server: "100.1", pane: "%1", pid: 7, session: "$1" };

test("a place leads to the terminal of the same server, pane and process", () => {
  const places = new PlaceIndex();
  places.add(place, "t1");
  for (const [name, at, expected] of [
    ["the same", place, "t1"],
    ["a session that was renamed or moved", { ...place, session: "$9" }, "t1"],
    ["the same pane id on another server", { ...place, server: "200.1" }, undefined],
    ["another pane", { ...place, pane: "%2" }, undefined],
    ["the next program in the pane", { ...place, pid: 8 }, undefined],
  ] as const) {
    assert.equal(places.runningAt(at), expected, name);
  }
});

test("a restarted program is found at its new process only", () => {
  const places = new PlaceIndex();
  places.add(place, "t1");
  places.leave(place);
  places.add({ ...place, pid: 8 }, "t1");
  assert.equal(places.runningAt(place), undefined);
  assert.equal(places.runningAt({ ...place, pid: 8 }), "t1");
});

test("a pane leads to its terminal also after the program ended, until the terminal is removed", () => {
  const places = new PlaceIndex();
  places.add(place, "t1");
  places.leave(place);
  assert.equal(places.runningAt(place), undefined);
  assert.equal(places.terminalAt({ ...place, pid: 8 }), "t1");
  assert.equal(places.terminalAt({ ...place, server: "200.1" }), undefined);
  places.remove(place);
  assert.equal(places.terminalAt(place), undefined);
});
