import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Teamd } from "./teamd.ts";

test("a refused token is named as one, with the place that refuses it; a daemon that is gone is another matter", async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(401).end('{"error":{"code":"UNAUTHORIZED","message":"unknown token"}}');
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = () =>
    new Teamd(async () => ({ url, token: "wrong" }), { teamId: "demo", agentId: "ann" }).get("/v1/tasks");
  await assert.rejects(ask(), (error: Error) => {
    const { code, message } = JSON.parse(error.message).error;
    return (
      code === "UNAUTHORIZED" &&
      message.includes(url) &&
      /PI_TEAMD_TOKEN/.test(message) &&
      /unknown token/.test(message)
    );
  });
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  await assert.rejects(ask(), { code: "missing_teamd_discovery" });
});
