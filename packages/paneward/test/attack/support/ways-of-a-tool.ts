import { type OperationName, operationNames, PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Tool } from "../../../src/mcp/tool.ts";
import type { ToolClient } from "../../../src/mcp/tool-client.ts";
import { sampleValue } from "../../support/sample-value.ts";
import { sampleOutputs } from "../../support/samples.ts";

/** An input of a tool, and the operations that it then calls. */
export interface Way {
  readonly input: object;
  readonly calls: readonly OperationName[];
}

/** Every different way that a tool can go: all its optional fields, with and without, and every word of its choices. */
export async function waysOf(tool: Tool): Promise<readonly Way[]> {
  const ways = new Map<string, Way>();
  for (const input of inputsOf(tool)) {
    const calls: OperationName[] = [];
    try {
      const { signal } = new AbortController();
      await tool.answer(input, { client: noting(calls), signal, folder: undefined, progress: undefined });
    } catch (error) {
      if (!(error instanceof PanewardError)) throw error;
    }
    const way = calls.join();
    if (calls.length > 0 && !ways.has(way)) ways.set(way, { input, calls });
  }
  return [...ways.values()];
}

function* inputsOf({ input }: Tool): Generator<object> {
  const full = sampleValue(input, "input", "full") as Readonly<Record<string, unknown>>;
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const optional = Object.keys(full).filter((name) => !required.includes(name));
  const choices = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === "object" && schema.enum ? [{ name, words: schema.enum }] : [],
  );
  const chosen = choices.reduce<readonly object[]>(
    (made, { name, words }) => made.flatMap((one) => words.map((word) => ({ ...one, [name]: word }))),
    [{}],
  );
  for (let left = 0; left < 2 ** optional.length; left++) {
    const out = optional.filter((_, at) => (left >> at) % 2 === 1);
    const kept = Object.entries(full).filter(([name]) => !out.includes(name));
    for (const one of chosen) {
      const words = Object.entries(one).filter(([name]) => !out.includes(name));
      yield { ...Object.fromEntries(kept), ...Object.fromEntries(words) };
    }
  }
}

function noting(calls: OperationName[]): ToolClient {
  const client = operationNames.map((name) => [
    name,
    async () => {
      calls.push(name);
      return sampleOutputs[name];
    },
  ]);
  const follow = () => {
    throw new Error("a tool follows no events");
  };
  return { ...Object.fromEntries(client), follow } as ToolClient;
}
