import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { MemoryTerminals } from "../../../test/support/memory-terminals.ts";
import type { PanePlace } from "../../model/records.ts";
import { minutes, OutputCounts } from "./output-counts.ts";

const place = { server: "server-1", pane: "%1", pid: 101, session: "$1" };
const terminalAt = ({ server, pane }: PanePlace) => (pane === "%1" ? `t-${server}` : undefined);

test("output is counted per minute, for the terminal of that pane on that server", async () => {
  const clock = new FakeClock(60_000 * 1_000);
  const terminals = new MemoryTerminals();
  const counts = new OutputCounts({ clock, terminals, terminalAt });
  const heard: string[] = [];
  const stop = counts.onOutput((terminal) => heard.push(terminal));
  const print = (at: PanePlace) => terminals.tell({ kind: "output", place: at, old: false });
  print(place);
  print({ ...place, server: "server-2" });
  print({ ...place, pane: "%2" });
  terminals.tell({ kind: "bell", place, count: 1 });
  await clock.advance(60_000);
  print(place);
  print(place);
  await clock.advance(120_000);
  assert.deepEqual(counts.of("t-server-1").slice(-4), [1, 2, 0, 0]);
  assert.deepEqual(counts.of("t-server-2").slice(-4), [1, 0, 0, 0]);
  assert.deepEqual([counts.of("t9"), counts.of("t-server-1").length], [[], minutes]);
  await clock.advance(minutes * 60_000);
  assert.deepEqual(counts.of("t-server-1"), new Array(minutes).fill(0));
  stop();
  print(place);
  assert.deepEqual(heard, ["t-server-1", "t-server-2", "t-server-1", "t-server-1"]);
});
