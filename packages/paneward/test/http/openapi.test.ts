import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { errorTable, inQuery, operationNames, pathParameters, routes } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ask } from "./support/ask.ts";
import { served, version } from "./support/served.ts";

interface Described {
  readonly operationId: string;
  readonly "x-scope": string;
  readonly "x-doors": readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: boolean;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

describe("GET /api/openapi.json", () => {
  test("is a valid OpenAPI 3.1 document", async (t) => {
    const { socket } = await served(t);
    const { status, text } = await ask(socket, { path: "/api/openapi.json" });
    assert.equal(status, 200);
    const document = JSON.parse(text) as Document;
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, version);
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, "3.1");
    assert.doesNotThrow(() => validator.resolveRefs(), "every reference leads somewhere");
  });

  test("describes every operation: scope, doors, the place of each input, failures", async (t) => {
    const { socket } = await served(t);
    const document = JSON.parse((await ask(socket, { path: "/api/openapi.json" })).text) as Document;
    for (const name of operationNames) {
      const route = routes[name];
      const described = document.paths[route.path]?.[route.method];
      assert.ok(described, name);
      assert.equal(described.operationId, name);
      assert.equal(described["x-scope"], route.scope);
      assert.deepEqual(described["x-doors"], route.doors);
      const inPath = pathParameters(route.path);
      const fields = Object.keys(operations[name].input.shape).filter((field) => !inPath.includes(field));
      const named = (where: string) => described.parameters?.filter((p) => p.in === where).map((p) => p.name) ?? [];
      assert.deepEqual(named("path"), inPath, name);
      assert.deepEqual(named("query"), inQuery(route) ? fields : [], name);
      const body = described.requestBody?.content["application/json"].schema;
      assert.deepEqual(Object.keys(body?.properties ?? {}), inQuery(route) ? [] : fields, name);
      if (body) assert.equal(body.additionalProperties, false, name);
      for (const code of [...route.errors, "bad_input", "unauthorized", "not_allowed", "unexpected"] as const) {
        assert.ok(described.responses[errorTable[code].status]?.description.includes(code), `${name} ${code}`);
      }
    }
  });

  test("names the shapes that operations share", async (t) => {
    const { socket } = await served(t);
    const document = JSON.parse((await ask(socket, { path: "/api/openapi.json" })).text) as Document;
    for (const name of ["Task", "Terminal", "Delivery", "End", "Why", "WorkAmount", "Error"]) {
      assert.ok(document.components.schemas[name], name);
    }
    for (const path of ["/api/events/stream", "/healthz", "/metrics"]) assert.ok(document.paths[path]?.get, path);
  });
});
