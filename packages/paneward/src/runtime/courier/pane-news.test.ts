import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { PanePlace } from "../../model/records.ts";
import type { TerminalNews } from "../ports.ts";
import { PaneNews } from "./pane-news.ts";

const place: PanePlace = { server: "1.1", pane: "%1", pid: 7, session: "$1" };
const other: PanePlace = { ...place, pane: "%2" };
const output = (of: PanePlace): TerminalNews => ({ kind: "output", place: of, old: false });

function begin() {
  const clock = new FakeClock(0);
  const listeners = new Set<(news: TerminalNews) => void>();
  const onNews = (listener: (news: TerminalNews) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const tell = (news: TerminalNews) => {
    for (const listener of listeners) listener(news);
  };
  return { clock, tell, news: new PaneNews({ onNews }, clock), listeners };
}

describe("a pause of five seconds in a pane ends", () => {
  const cases: Readonly<Record<string, readonly [(stage: ReturnType<typeof begin>) => void, number]>> = {
    "when the pane prints": [({ tell }) => tell(output(place)), 1_000],
    "when its program ends": [({ tell }) => tell({ kind: "ended", place, end: { kind: "exited", code: 0 } }), 1_000],
    "when a host is lost": [({ tell }) => tell({ kind: "host_lost", host: "local", reason: "gone" }), 1_000],
    "when another witness has news of it": [({ news }) => news.wake(place), 1_000],
    "when the daemon stops": [({ news }) => news.close(), 1_000],
    "not when another pane prints": [({ tell }) => tell(output(other)), 5_000],
    "not when the same pane of another server prints": [({ tell }) => tell(output({ ...place, server: "2.2" })), 5_000],
  };
  for (const [name, [happen, expected]] of Object.entries(cases)) {
    test(name, async () => {
      const stage = begin();
      const { clock, news } = stage;
      const unwatch = news.watch(place);
      clock.timer(1_000, () => happen(stage));
      let endedAt = 0;
      news.pause(place, 5_000).then(() => {
        endedAt = clock.monotonic();
      });
      await clock.advance(10_000);
      assert.deepEqual([endedAt, clock.waiting], [expected, 0]);
      unwatch();
    });
  }
});

test("output is counted while the pane is watched, and from zero the next time", () => {
  const { tell, news } = begin();
  tell(output(place));
  assert.equal(news.outputs(place), 0, "it was not watched");
  const first = news.watch(place);
  const second = news.watch(place);
  tell(output(place));
  tell(output(other));
  first();
  tell(output(place));
  assert.equal(news.outputs(place), 2);
  second();
  assert.equal(news.outputs(place), 0);
});

test("after close, nothing more is counted", () => {
  const { news, listeners } = begin();
  news.close();
  assert.equal(listeners.size, 0);
});
