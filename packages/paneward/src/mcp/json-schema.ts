import { z } from "zod";

/** A schema as a client gets it: what helps a model to call, without the limits that only the daemon checks. */
export function shortSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _dialect, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { ...(shortened(whole) as object), type: "object" };
}

export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
}

// The whole catalogue has to fit into what a model can afford to read; a wrong value is answered with its field anyway.
const leftOut = new Set(["pattern", "minLength", "maxLength", "minItems", "maxItems", "propertyNames"]);

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([keyword, rule]) => !isLeftOut(keyword, rule, value));
  return Object.fromEntries(kept.map(([keyword, rule]) => [keyword, shortened(rule)]));
}

function isLeftOut(keyword: string, rule: unknown, schema: object): boolean {
  if (keyword === "type") return "const" in schema || "enum" in schema;
  if (keyword === "additionalProperties") return typeof rule !== "object" || Object.keys(rule ?? {}).length === 0;
  if (keyword === "allOf") return Array.isArray(rule) && rule.every((one) => Object.keys(one).join() === "pattern");
  // An object as a rule may be a property that happens to have this name.
  return leftOut.has(keyword) && (typeof rule !== "object" || keyword === "propertyNames");
}
