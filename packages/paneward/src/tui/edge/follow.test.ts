import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Client, FollowOptions, Output } from "@paneward/sdk";
import { emptyView, type View, withConnection, withStale } from "@paneward/sdk/view";
import { followDaemon } from "./follow.ts";

test("a list requested before the reconnect does not undo the connected state", async () => {
  const stop = new AbortController();
  const slow = Promise.withResolvers<void>();
  const followed = Promise.withResolvers<FollowOptions>();
  const asked = Promise.withResolvers<void>();
  let view: View = emptyView;
  let answers = 0;
  const ps = async (): Promise<Output<"ps">> => {
    if (++answers > 1) {
      asked.resolve();
      await slow.promise;
    }
    return { tasks: [], terminals: [], lastEvent: 5 };
  };
  const client = {
    ps,
    agents: async () => ({ agents: [] }),
    questions: async () => ({ questions: [] }),
    activity: async () => ({ minute: 0, terminals: [] }),
    async *follow(options: FollowOptions) {
      followed.resolve(options);
      await new Promise((done) => stop.signal.addEventListener("abort", done));
    },
  } as unknown as Client;
  const following = followDaemon(
    { client, running: client, firstList: ps() },
    () => view,
    (next) => {
      view = next;
    },
    stop.signal,
  );
  const { onConnection } = await followed.promise;
  // The list is requested just as the connection is lost, and answered by the next daemon.
  view = withStale(view, "now", "a test");
  following.refresh();
  view = withConnection(view, { kind: "lost", reason: "killed", since: 1 });
  await asked.promise;
  onConnection?.(true);
  slow.resolve();
  while (view.stale) await yieldToLoop();
  assert.equal(view.connection.kind, "connected");
  // Failed retries keep the time of the first loss.
  view = withConnection(view, { kind: "lost", reason: "killed", since: 1 });
  onConnection?.(false, "no daemon");
  assert.deepEqual(view.connection, { kind: "lost", reason: "no daemon", since: 1 });
  stop.abort();
  await following.ended;
});

test("the first frame is drawn before the event stream is opened", async () => {
  const stop = new AbortController();
  const order: string[] = [];
  const followed = Promise.withResolvers<void>();
  let view: View = emptyView;
  const client = {
    agents: async () => ({ agents: [] }),
    questions: async () => ({ questions: [] }),
    async *follow() {
      order.push("stream");
      followed.resolve();
      await new Promise((done) => stop.signal.addEventListener("abort", done));
    },
  } as unknown as Client;
  const following = followDaemon(
    { client, running: client, firstList: Promise.resolve({ tasks: [], terminals: [], lastEvent: 5 }) },
    () => view,
    (next) => {
      view = next;
      // As the interface does.
      if (order.length === 0) setTimeout(() => order.push("frame"), 0);
    },
    stop.signal,
  );
  await followed.promise;
  stop.abort();
  await following.ended;
  assert.deepEqual([order[0], order.at(-1)], ["frame", "stream"]);
});
