import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type TeamStage, teamStage } from "../../../test/support/team-stage.ts";
import { postMessage, requireThread } from "./conversations.ts";
import { type InboxRequest, type Notices, readInbox } from "./inbox.ts";

const never = new AbortController().signal;

function read(stage: TeamStage, request: Partial<InboxRequest> = {}, signal = never): Promise<Notices> {
  return readInbox(stage, { team: "demo", agent: "lead", since: 0, limit: 100, waitMs: 0, ...request }, signal);
}

function post(stage: TeamStage, text: string, from = "ann"): void {
  stage.store.write((writer) => postMessage(stage, writer, requireThread(stage, "thread-0001"), from, text));
}

const summaries = ({ events }: Notices) => events.map(({ summary }) => summary);

describe("an inbox", () => {
  test("returns notices after a cursor; `seen` begins after the last confirmed one", async (t) => {
    const stage = teamStage(t);
    for (const text of ["one", "two", "three"]) post(stage, text);
    const first = await read(stage, { limit: 2 });
    assert.deepEqual([summaries(first), first.nextSince], [["one", "two"], "2"]);
    assert.deepEqual(summaries(await read(stage, { since: "seen" })), ["one", "two", "three"]);
    assert.deepEqual(summaries(await read(stage, { since: 2 })), ["three"]);
    assert.deepEqual(summaries(await read(stage, { since: "seen" })), ["three"]);
    assert.deepEqual(summaries(await read(stage, { since: 0 })), ["one", "two", "three"]);
    assert.deepEqual(summaries(await read(stage, { since: "seen" })), ["three"], "an older cursor takes nothing back");
  });

  test("is not confirmed by a cursor that was never given", async (t) => {
    const stage = teamStage(t);
    assert.deepEqual(await read(stage, { since: 999_999_999_999_999 }), { events: [], nextSince: "999999999999999" });
    post(stage, "one");
    assert.deepEqual(summaries(await read(stage, { since: "seen" })), ["one"]);
  });

  test("without notices, waits for the first one", async (t) => {
    const stage = teamStage(t);
    const began = stage.clock.monotonic();
    const waiting = read(stage, { waitMs: 60_000 }).then((notices) => [
      summaries(notices),
      stage.clock.monotonic() - began,
    ]);
    await stage.clock.advance(4_000);
    post(stage, "from itself, which is no notice", "lead");
    await stage.clock.advance(4_000);
    post(stage, "hello");
    assert.deepEqual(await waiting, [["hello"], 8_000]);
    assert.equal(stage.clock.waiting, 0);
  });

  test("a wait ends after its time, also when the machine's clock is set", async (t) => {
    const stage = teamStage(t);
    let notices: Notices | undefined;
    void read(stage, { waitMs: 60_000 }).then((found) => (notices = found));
    stage.clock.setWall(3_600_000);
    await stage.clock.advance(59_999);
    assert.equal(notices, undefined);
    await stage.clock.advance(1);
    assert.deepEqual(notices, { events: [], nextSince: "0" });
  });

  test("a wait ends when the caller leaves", async (t) => {
    const stage = teamStage(t);
    const caller = new AbortController();
    const waiting = read(stage, { waitMs: 60_000 }, caller.signal);
    await stage.clock.advance(1_000);
    caller.abort();
    assert.deepEqual((await waiting).events, []);
    assert.equal(stage.clock.waiting, 0);
  });
});
