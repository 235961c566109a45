import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "./support/ask.ts";
import { served } from "./support/served.ts";
import { stream } from "./support/sse.ts";

test("GET /metrics has requests, durations, streams, the last event, the process and the daemon's gauges", async (t) => {
  let running = 3;
  const { socket, store } = await served(t, { gauges: () => ({ terminals_running: running, tasks: 2 }) });
  await ask(socket, { path: "/api/ping" });
  await ask(socket, { path: "/api/ping" });
  await ask(socket, { path: "/api/ping?surprise=1" });
  await ask(socket, { path: "/nowhere" });
  await stream(t, socket);
  store.write((writer) => writer.append("tasks_changed", { reason: "test" }));
  const { status, headers, text } = await ask(socket, { path: "/metrics" });
  assert.equal(status, 200);
  assert.match(headers["content-type"] ?? "", /^text\/plain/);
  const lines = [
    'paneward_http_requests_total{operation="ping",status="200"} 2',
    'paneward_http_requests_total{operation="ping",status="400"} 1',
    'paneward_http_requests_total{operation="none",status="404"} 1',
    'paneward_http_requests_total{operation="events_stream",status="200"} 1',
    'paneward_http_request_duration_seconds_count{operation="ping"} 3',
    "paneward_event_stream_clients 1",
    "paneward_last_event 1",
    "paneward_terminals_running 3",
    "paneward_tasks 2",
  ];
  for (const line of lines) assert.ok(text.split("\n").includes(line), line);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  running = 4;
  assert.match((await ask(socket, { path: "/metrics" })).text, /^paneward_terminals_running 4$/m);
});
