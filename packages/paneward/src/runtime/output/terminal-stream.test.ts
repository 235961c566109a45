import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { endTerminal, memoryWorld, putTerminal } from "../../../test/support/memory-world.ts";
import type { PanePlace } from "../../model/records.ts";
import { type StreamFrame, type StreamOptions, terminalFrames } from "./terminal-stream.ts";

async function streaming(t: Cleanup) {
  const world = await memoryWorld(t);
  const { deps, terminals } = world;
  const place = terminals.has({ pane: "%1", pid: 101, session: "$1" }, "paneward-t1-job");
  const terminal = putTerminal(world, { place });
  const terminalAt = ({ server, pane }: PanePlace) => (server === "server-1" && pane === "%1" ? "t1" : undefined);
  const leaving = new AbortController();
  const view = (options: Partial<StreamOptions> = {}) => {
    const frames: string[] = [];
    const state = { frames, over: false };
    const follow = async () => {
      for await (const frame of terminalFrames({ ...deps, terminalAt }, "t1", { signal: leaving.signal, ...options })) {
        frames.push(shown(frame));
      }
      state.over = true;
    };
    void follow();
    return state;
  };
  const print = (text: string) => terminals.print(terminal.journal, place, text);
  return { ...world, terminal, place, view, print, leave: () => leaving.abort() };
}

function shown(frame: StreamFrame): string {
  switch (frame.kind) {
    case "bytes":
      return `${new TextDecoder().decode(frame.bytes)} ${frame.cursor}`;
    case "picture":
      return `picture ${frame.picture.text} ${frame.picture.cursor}`;
    case "size":
      return `size ${frame.columns}x${frame.rows}`;
    case "missed":
      return `missed ${frame.bytes}`;
  }
}

describe("a live view", () => {
  test("gets a picture, then every byte once with the cursor behind it", async (t) => {
    const { view, print, terminals, place, clock, leave } = await streaming(t);
    print("hello");
    terminals.show(place, "hello");
    const { frames } = view();
    await clock.advance(0);
    print(" you");
    await clock.advance(5_000);
    print("!");
    await clock.advance(0);
    assert.deepEqual(frames, ["picture hello e1:5", " you e1:9", "! e1:10"]);
    leave();
  });

  test("resumes at its cursor without a picture, and refuses an invalid cursor", async (t) => {
    const { view, print, clock, leave, deps } = await streaming(t);
    print("hello you");
    const { frames } = view({ cursor: "e1:5" });
    await clock.advance(0);
    assert.deepEqual(frames, [" you e1:9"]);
    const signal = new AbortController().signal;
    const frame = terminalFrames({ ...deps, terminalAt: () => undefined }, "t1", { cursor: "nonsense", signal }).next();
    await assert.rejects(frame, { code: "bad_input" });
    leave();
  });

  test("says what it missed, and is given a new picture", async (t) => {
    const { view, print, terminals, terminal, place, clock, leave } = await streaming(t);
    print("0123456789");
    terminals.show(place, "now");
    terminals.dropBytes(terminal.journal, 6);
    const { frames } = view({ cursor: "e1:2" });
    await clock.advance(0);
    assert.deepEqual(frames, ["missed 4", "picture now e1:10"]);
    leave();
  });

  test("is given a new picture when the pane has another size, which is checked once a second", async (t) => {
    const { view, print, terminals, place, clock, leave } = await streaming(t);
    print("a");
    terminals.show(place, "a");
    const { frames } = view();
    await clock.advance(0);
    terminals.size.columns = 40;
    print("b");
    await clock.advance(500);
    assert.deepEqual(frames, ["picture a e1:1", "b e1:2"]);
    clock.setWall(-3_600_000);
    await clock.advance(600);
    print("c");
    await clock.advance(0);
    assert.deepEqual(frames, ["picture a e1:1", "b e1:2", "picture a e1:3"]);
    leave();
  });

  test("of a pane that is gone begins with its size and the end of its journal", async (t) => {
    const { view, print, terminals, place, clock, leave } = await streaming(t);
    print("x".repeat(300_000));
    terminals.drop(place);
    const { frames } = view();
    await clock.advance(0);
    assert.equal(frames[0], "size 80x24");
    assert.equal(frames.length, 3, "262,144 bytes in two blocks");
    assert.match(frames[2] ?? "", / e1:300000$/);
    leave();
  });

  test("still gets what a child prints after the program ended, and is over when its reader leaves", async (t) => {
    const world = await streaming(t);
    const { print, clock, terminals } = world;
    const state = world.view();
    await clock.advance(0);
    endTerminal(world, "t1");
    await clock.advance(1_000);
    print("late");
    await clock.advance(0);
    assert.equal(state.frames.at(-1), "late e1:4");
    world.leave();
    await clock.advance(0);
    assert.deepEqual([state.over, clock.waiting, terminals.listening], [true, 0, 0]);
  });
});

test("a replay gives everything that is kept, and is over then", async (t) => {
  const { view, print, clock, terminals, terminal } = await streaming(t);
  print("x".repeat(200_000));
  terminals.dropBytes(terminal.journal, 100);
  const state = view({ replay: true });
  await clock.advance(0);
  assert.deepEqual(
    state.frames.map((frame) => frame.replace(/^x+ /, "")),
    ["size 80x24", "e1:131172", "e1:200000"],
  );
  assert.equal(state.over, true);
});
