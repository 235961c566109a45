import type { Static, TObject, TProperties } from "typebox";
import { Type } from "typebox";
import type { PiContext, PiTool } from "../pi/api.ts";

export interface ToolCall {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  readonly ctx: PiContext;
}

/** One tool. Its parameters are an object; unknown fields are refused. */
export function tool<Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
  run: (params: Static<TObject<Properties>>, call: ToolCall) => Promise<object>,
): PiTool {
  return {
    name,
    label: name,
    description,
    parameters: Type.Object(properties, { additionalProperties: false }),
    execute: async (id, params, signal, _onUpdate, ctx) => {
      const answer = await run(params as Static<TObject<Properties>>, { id, signal, ctx });
      return { content: [{ type: "text", text: JSON.stringify(answer, undefined, 1) }], details: answer };
    },
  };
}
