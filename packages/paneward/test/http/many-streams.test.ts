import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterwards } from "../support/folder.ts";
import { open } from "./support/ask.ts";
import { served } from "./support/served.ts";
import { numbers, range, stream } from "./support/sse.ts";

test("50 streams, 10 of them never read: the others get every event in order, and memory stays small", async (t) => {
  const { socket, port, store, token } = await served(t, { limits: { burst: 1_000 } });
  const headers = { authorization: `Bearer ${token("read")}` };
  for (let count = 0; count < 10; count++) {
    const address = count % 2 === 0 ? socket : port;
    const silent = await open(address, { path: "/api/events/stream?after=0", headers });
    silent.pause();
    afterwards(t, () => {
      silent.destroy();
    });
  }
  const reading = await Promise.all(
    Array.from({ length: 40 }, (_, count) => stream(t, count % 2 === 0 ? socket : port, "?after=0", headers)),
  );
  const total = 3_000;
  const before = held();
  const reason = "x".repeat(2_000);
  for (let done = 0; done < total; done += 10) {
    for (let more = 0; more < 10; more++) store.write((writer) => writer.append("tasks_changed", { reason }));
    await reading[0]?.first(done + 1);
  }
  for (const { first, seen } of reading) {
    assert.deepEqual(numbers(await first(total)), range(1, total));
    assert.equal(seen.length, total, "none came twice");
  }
  const grown = held() - before;
  assert.ok(grown < 64_000_000, `the silent streams hold ${grown} bytes`);
});

// The memory in use, without uncollected garbage.
function held(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}
