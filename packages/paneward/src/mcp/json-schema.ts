import { z } from "zod";

/** The schema that clients get: enough to make a call, without limits that only the daemon checks. */
export function shortSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _dialect, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { ...(shortened(whole) as object), type: "object" };
}

export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
}

// Models read the whole catalogue in every conversation, so keep it small; an error names the wrong field anyway.
const omittedKeywords = new Set([
  ...["pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["propertyNames", "examples"],
]);

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([keyword, rule]) => !isOmitted(keyword, rule, value));
  return Object.fromEntries(kept.map(([keyword, rule]) => [keyword, shortened(rule)]));
}

function isOmitted(keyword: string, rule: unknown, schema: object): boolean {
  if (keyword === "type") return "const" in schema || "enum" in schema;
  if (keyword === "additionalProperties") return typeof rule !== "object" || Object.keys(rule ?? {}).length === 0;
  if (keyword === "allOf") return Array.isArray(rule) && rule.every((one) => Object.keys(one).join() === "pattern");
  // If the rule is an object, the keyword may be a property of that name.
  return omittedKeywords.has(keyword) && (typeof rule !== "object" || keyword === "propertyNames");
}
