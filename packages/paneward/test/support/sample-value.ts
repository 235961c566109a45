import { z } from "zod";

/** `full`: every field and every alternative of a list, nothing as it is by default. `minimal`: only what is required. */
export type Size = "minimal" | "full";

/** The keywords of JSON Schema that zod writes. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: Type | readonly Type[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Type = keyof typeof makers;

interface Making {
  readonly size: Size;
  readonly defs: Readonly<Record<string, Schema>>;
  /** The field that the value is for; a text without rules is its name. */
  readonly name: string;
}

/** A value that the schema takes, made of nothing but the schema. What it cannot guess, the schema says as an example. */
export function sampleValue(schema: z.ZodType, io: "input" | "output", size: Size): unknown {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
  const value = make(whole, { size, defs: whole.$defs ?? {}, name: "value" });
  const { error } = schema.safeParse(value);
  if (!error) return value;
  const hint = "add .meta({ examples: […] }) to the field";
  throw new Error(`no ${size} ${io} can be made of the schema alone; ${hint}:\n${z.prettifyError(error)}`);
}

function make(schema: Schema, making: Making): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref !== undefined) return make(making.defs[schema.$ref.replace("#/$defs/", "")] ?? {}, making);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.find((one) => one !== schema.default);
  const alternatives = alternativesOf(schema);
  if (alternatives) return make(chosen(alternatives, ({ type }) => type === "null", making) ?? {}, making);
  const types = [schema.type ?? "string"].flat();
  return makers[chosen(types, (type) => type === "null", making) ?? "string"](schema, making);
}

/** The least is nothing, where that is allowed. */
function chosen<One>(from: readonly One[], isNothing: (one: One) => boolean, { size }: Making): One | undefined {
  return from.find((one) => isNothing(one) === (size === "minimal")) ?? from[0];
}

const makers = {
  null: () => null,
  boolean: (schema: Schema) => schema.default !== true,
  integer: number,
  number,
  string: text,
  array: list,
  object: fields,
};

function number({ minimum = 0, default: byDefault, type }: Schema): number {
  const least = Math.max(minimum, type === "integer" ? 1 : 0.5);
  return least === byDefault ? least + 1 : least;
}

/** The name of the field, with letters that travel badly where the rules allow them. */
function text(schema: Schema, { name }: Making): string {
  const rules = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => (pattern ? [new RegExp(pattern)] : []));
  const guesses = [`${name} é&%\n"`, `${name} é&%`, name].map((guess) => guess.slice(0, schema.maxLength));
  return guesses.find((guess) => rules.every((rule) => rule.test(guess))) ?? name;
}

function list(schema: Schema, making: Making): readonly unknown[] {
  if (schema.prefixItems) return schema.prefixItems.map((item) => make(item, making));
  const item = schema.items || {};
  const wanted = making.size === "full" ? (alternativesOf(item) ?? [item]) : Array(schema.minItems ?? 0).fill(item);
  return wanted.slice(0, schema.maxItems).map((one) => make(one, making));
}

function fields(schema: Schema, making: Making): object {
  const names = Object.keys(schema.properties ?? {});
  const wanted = making.size === "full" ? names : names.filter((name) => schema.required?.includes(name));
  const known = wanted.map((name) => [name, make(schema.properties?.[name] ?? {}, { ...making, name })]);
  const open = schema.additionalProperties && making.size === "full" ? [schema.additionalProperties] : [];
  const free = open.map((one) => [make(schema.propertyNames ?? {}, { ...making, name: "key" }), make(one, making)]);
  return Object.fromEntries([...known, ...free]);
}

function alternativesOf({ oneOf, anyOf }: Schema): readonly Schema[] | undefined {
  return oneOf ?? anyOf;
}
