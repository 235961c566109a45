import assert from "node:assert/strict";
import { test } from "node:test";
import { requestOf } from "./client.ts";
import { routes } from "./routes.ts";

test("input goes into the path, the rest into the query or the body", () => {
  assert.deepEqual(requestOf(routes.read, { id: "a/b ü", lines: 5, since: undefined }), {
    method: "GET",
    path: "/api/terminals/a%2Fb%20%C3%BC/output?lines=5",
  });
  assert.deepEqual(requestOf(routes.send, { id: "t1", text: "x", enter: undefined }), {
    method: "POST",
    path: "/api/terminals/t1/send",
    body: '{"text":"x"}',
  });
  assert.deepEqual(requestOf(routes.rm, { id: "t1", force: "true" }), {
    method: "DELETE",
    path: "/api/terminals/t1?force=true",
  });
  assert.deepEqual(requestOf(routes.ping, {}), { method: "GET", path: "/api/ping" });
});

test("an id cannot escape its path segment", () => {
  assert.equal(requestOf(routes.stop, { id: "$&{id}$1" }).path, "/api/terminals/%24%26%7Bid%7D%241/stop");
});
