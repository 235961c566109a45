import assert from "node:assert/strict";
import { test } from "node:test";
import { inQuery, type OperationName, routes } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { sampleValue } from "../../test/support/sample-value.ts";
import { catalogue } from "./catalogue.ts";
import type { Tool } from "./tool.ts";
import type { ToolClient } from "./tool-client.ts";

/** Values that an operation may refuse. */
const hostile = [
  "",
  " ",
  "..",
  "a/b",
  "\u0000",
  "\u001b[31m",
  "\n",
  "x".repeat(300_000),
  -1,
  0,
  1.5,
  1e9,
  true,
  [],
  {},
];
const many = Array.from({ length: 2_000 }, () => "t1");

/** What a tool passes on that its operation would refuse. */
async function refusedBy(tool: Tool, given: unknown): Promise<readonly string[]> {
  const refused: string[] = [];
  const call = (name: OperationName) => async (input: object) => {
    const parsed = operations[name].input.strict().safeParse(asText(name, input));
    if (!parsed.success) refused.push(`${tool.name} ${JSON.stringify(given).slice(0, 200)}: ${parsed.error.message}`);
    if (name === "thread_start") return { id: "thread-0001" };
    throw new Error("checked");
  };
  const client = new Proxy({}, { get: (_, name) => call(name as OperationName) }) as ToolClient;
  const { signal } = new AbortController();
  await tool.answer(given, { client, signal, folder: undefined, progress: undefined }).catch(() => {});
  return refused;
}

// A query holds text: there a flag is "true" or "false".
function asText(name: OperationName, input: object): object {
  const isText = inQuery(routes[name]);
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([key, value]) => [key, isText && typeof value === "boolean" ? String(value) : value]),
  );
}

for (const tool of catalogue) {
  test(`whatever ${tool.name} takes, its operation takes too, so it need not be parsed again`, async () => {
    const full = sampleValue(tool.input, "input", "full") as Readonly<Record<string, unknown>>;
    const minimal = sampleValue(tool.input, "input", "minimal");
    const strange = Object.keys(full).flatMap((field) =>
      [...hostile, many].flatMap((value) => [
        { ...full, [field]: value },
        { ...tool.example, [field]: value },
      ]),
    );
    for (const given of [full, minimal, tool.example, ...strange]) {
      assert.deepEqual(await refusedBy(tool, given), []);
    }
  });
}
