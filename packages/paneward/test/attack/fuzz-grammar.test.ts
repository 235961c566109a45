import assert from "node:assert/strict";
import { test } from "node:test";
import { operationNames, routes } from "@paneward/sdk";
import { served } from "../http/support/served.ts";
import { teamRoutes } from "./support/fuzz-cases.ts";
import { doorRoutes } from "./support/fuzz-doors.ts";

// Operations come from the table, so a new one is attacked at once. This is for what is beside it.
test("the fuzzer attacks every route that the app has", async (t) => {
  const { app } = await served(t, {
    web: "/nowhere",
    team: {} as never,
    tap: () => Promise.reject(new Error("not here")),
  });
  const there = app.hono.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  const known = [
    ...operationNames.map(
      (name) => `${routes[name].method.toUpperCase()} ${routes[name].path.replace(/\{(\w+)\}/g, ":$1")}`,
    ),
    ...teamRoutes.map((route) => route.replace(" ", " /v1").replace("ID", ":id")),
    ...Object.keys(doorRoutes),
  ];
  assert.deepEqual(
    [...new Set(there)].filter((route) => !known.includes(route)),
    [],
  );
  const odd = "GET /v1/:id";
  assert.deepEqual(
    known.filter((route) => !there.includes(route) && route !== odd),
    [],
  );
});
