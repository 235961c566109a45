import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Client,
  type ClientTransport,
  createClient,
  type FollowedEvent,
  type FollowOptions,
  fetchTransport,
  PanewardError,
} from "@paneward/sdk";
import { linkTransport, unixTransport } from "@paneward/sdk/node";
import { openStore } from "../../src/store/store.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { sampleInputs, sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { heldHandler } from "./support/held-handler.ts";
import { type Served, served } from "./support/served.ts";
import { range } from "./support/sse.ts";

const ways: readonly (readonly [string, (t: Cleanup, daemon: Served) => ClientTransport])[] = [
  [
    "a Unix socket",
    (t, { socket }) => {
      const transport = unixTransport(socket, "cli");
      afterwards(t, () => transport.close());
      return transport;
    },
  ],
  [
    "a call link",
    (t, { socket }) => {
      const transport = linkTransport(socket, "cli");
      afterwards(t, () => transport.close());
      return transport;
    },
  ],
  ["loopback", (_, { port, token }) => fetchTransport(`http://127.0.0.1:${port}`, token("admin"))],
];

for (const [way, transportTo] of ways) {
  describe(`the client over ${way}`, () => {
    test("calls operations and throws their failures unchanged", async (t) => {
      const refuse = () => Promise.reject(new PanewardError("ambiguous", "t1 or t2?", { hint: "choose" }));
      const daemon = await served(t, { handlers: { stop: refuse } });
      const client = createClient(transportTo(t, daemon));
      assert.deepEqual(await client.read(sampleInputs.read), sampleOutputs.read);
      assert.deepEqual(await client.run(sampleInputs.run), sampleOutputs.run);
      await assert.rejects(client.stop({ id: "t" }), (error: PanewardError) => {
        assert.deepEqual([error.code, error.message, error.hint], ["ambiguous", "t1 or t2?", "choose"]);
        return error instanceof PanewardError;
      });
      // @ts-expect-error a wrong input is a mistake at compile time already
      await assert.rejects(client.run({ argv: "ls" }), (error: PanewardError) => error.code === "bad_input");
    });

    test("fails with a clear error when there is no daemon", async (t) => {
      const daemon = await served(t);
      const client = createClient(transportTo(t, daemon));
      await daemon.listening.close();
      await assert.rejects(client.ping({}), (error: PanewardError) => error.code === "unavailable");
    });

    test("reports an unknown outcome when the daemon stops during a call", async (t) => {
      const stop = heldHandler(sampleOutputs.stop);
      const daemon = await served(t, { handlers: { stop: stop.handler }, timeouts: { graceMs: 1 } });
      const client = createClient(transportTo(t, daemon));
      const stopped = assert.rejects(
        client.stop({ id: "t1" }),
        (error: PanewardError) => error.code === "outcome_unknown",
      );
      await until("it is under way", stop.isCalled);
      await daemon.listening.close();
      await stopped;
    });

    test("follows events through restarts of the daemon, each exactly once", async (t) => {
      const folder = await temporaryFolder(t);
      const store = openStore(`${folder}/paneward.db`, { now: () => 1_000_000 });
      afterwards(t, () => store.close());
      const append = (count: number) => {
        for (let done = 0; done < count; done++) store.write((w) => w.append("tasks_changed", { reason: "r" }));
      };
      let daemon = await served(t, { folder, store });
      const { port } = daemon;
      const { seen, connections } = following(t, createClient(transportTo(t, daemon)));
      await until("it is connected", () => connections.length === 1);
      for (const round of [1, 2, 3]) {
        append(10);
        if (round !== 2) await until("the events came", () => seen.length === round * 20 - 10);
        await daemon.listening.close();
        await until("the end was noticed", () => connections.at(-1) === false);
        append(10);
        daemon = await served(t, { folder, store, port });
        await until("it is all there", () => seen.length === round * 20);
      }
      assert.deepEqual(
        seen.map((event) => "seq" in event && event.seq),
        range(1, 60),
      );
    });

    test("misses nothing between connecting and the first event, even when the daemon stops meanwhile", async (t) => {
      const folder = await temporaryFolder(t);
      const store = openStore(`${folder}/paneward.db`, { now: () => 1_000_000 });
      afterwards(t, () => store.close());
      const daemon = await served(t, { folder, store, limits: { heartbeatMs: 600_000 } });
      const transport = counting(transportTo(t, daemon));
      const { seen } = following(t, createClient(transport));
      await until("it has received data from the daemon", () => transport.hasReceived());
      await daemon.listening.close();
      store.write((writer) => writer.append("tasks_changed", { reason: "while no client was connected" }));
      await served(t, { folder, store, port: daemon.port });
      await until("it came", () => seen.length === 1);
    });

    test("reports a gap, and filters by type", async (t) => {
      const daemon = await served(t);
      for (const type of ["tasks_changed", "sessions_changed", "tasks_changed", "sessions_changed"] as const) {
        daemon.store.write((writer) => writer.append(type, { reason: "r" }));
      }
      daemon.store.trimEvents(2);
      const client = createClient(transportTo(t, daemon));
      const { seen } = following(t, client, { after: 0, types: ["sessions_changed"] });
      await until("both came", () => seen.length === 2);
      assert.deepEqual(seen[0], { type: "gap", after: 0, before: 2 });
      assert.equal(seen[1]?.type, "sessions_changed");
    });

    test("closes its connection when the reader stops", async (t) => {
      const daemon = await served(t);
      daemon.store.write((writer) => writer.append("tasks_changed", { reason: "r" }));
      const client = createClient(transportTo(t, daemon));
      for await (const event of client.follow({ after: 0 })) {
        assert.equal(event.type, "tasks_changed");
        break;
      }
      const metrics = unixTransport(daemon.socket, "http");
      afterwards(t, () => metrics.close());
      await until("no stream is open", async () =>
        (await metrics.request("GET", "/metrics")).text.includes("\npaneward_event_stream_clients 0\n"),
      );
    });
  });
}

test("following stops at failures that a retry cannot fix", async (t) => {
  const { port } = await served(t);
  const reasons: (string | undefined)[] = [];
  const client = createClient(fetchTransport(`http://127.0.0.1:${port}`, "pw_wrong"));
  const next = client.follow({ onConnection: (_, reason) => reasons.push(reason) }).next();
  await assert.rejects(next, (error: PanewardError) => error.code === "unauthorized");
  assert.match(reasons.join(), /token is not known/);
});

function following(t: Cleanup, client: Client, options: FollowOptions = {}) {
  const seen: FollowedEvent[] = [];
  const connections: boolean[] = [];
  const stop = new AbortController();
  const done = (async () => {
    const onConnection = (connected: boolean) => connections.push(connected);
    for await (const event of client.follow({ ...options, signal: stop.signal, onConnection })) seen.push(event);
  })();
  afterwards(t, () => {
    stop.abort();
    return done;
  });
  return { seen, connections };
}

/** Tells when the first bytes of a stream have come. */
function counting(transport: ClientTransport): ClientTransport & { hasReceived(): boolean } {
  let count = 0;
  async function* counted(chunks: AsyncIterable<string>) {
    for await (const chunk of chunks) {
      yield chunk;
      count++;
    }
  }
  return {
    request: transport.request,
    async stream(path, signal) {
      const { status, chunks } = await transport.stream(path, signal);
      return { status, chunks: counted(chunks) };
    },
    hasReceived: () => count > 0,
  };
}
