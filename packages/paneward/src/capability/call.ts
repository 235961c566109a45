import { nearest } from "@paneward/sdk";
import {
  type CapabilityAction,
  type CapabilityActionName,
  callText,
  capabilityActionNames,
  capabilityActions,
  hostParameter,
  type ParametersOf,
} from "@paneward/sdk/reference";
import { coerce } from "./coerce.ts";
import { Refusal } from "./result.ts";
import type { Tag } from "./tags.ts";

/** One action with its parsed parameters. */
export type Call = {
  [Name in CapabilityActionName]: {
    readonly action: Name;
    readonly params: ParametersOf<(typeof capabilityActions)[Name]>;
    readonly host?: string;
  };
}[CapabilityActionName];

/** Parses a tag: attributes, overridden by JSON in `data`; the body is a parameter of some actions. */
export function callFromTag({ attributes, body }: Tag): Call {
  const [name, ...others] = attributes.filter(([attribute]) => attribute === "name").map(([, value]) => value);
  const rest = attributes.filter(([attribute]) => attribute !== "name");
  const twice = rest.find(([attribute], at) => rest.findIndex(([one]) => one === attribute) < at);
  const given = new Map<string, unknown>([...rest, ...others.map((other) => ["name", other] as const)]);
  const { action, data } = Object.fromEntries(rest);
  if (name !== "tmux") {
    const what =
      name === undefined ? "A call needs the name of a capability" : `There is no capability '${clip(name)}'`;
    throw new Refusal(what, callText(nearest(action ?? "", capabilityActionNames) ?? "list"));
  }
  if (twice || others.length > 1) throw new Refusal(`${twice?.[0] ?? "name"} is given twice`, exampleOf(action ?? ""));
  given.delete("action");
  given.delete("data");
  for (const [key, value] of Object.entries(dataOf(data, action ?? ""))) given.set(key, value);
  return callFrom(action ?? "", given, body.trim());
}

/** Parses a call from JSON or from a tag's values. */
export function callFrom(action: string, given: ReadonlyMap<string, unknown>, body = ""): Call {
  const name = capabilityActionNames.find((one) => one === action.trim().toLowerCase());
  if (!name) throw unknownAction(action, given);
  const { parameters, body: bodyParameter }: CapabilityAction = capabilityActions[name];
  const all = { ...parameters, host: hostParameter };
  const values = new Map(given);
  if (body !== "" && bodyParameter !== undefined) {
    if (values.has(bodyParameter))
      throw new Refusal(`'${bodyParameter}' is given as attribute and as body`, exampleOf(name));
    values.set(bodyParameter, body);
  }
  const unknown = [...values.keys()].find((key) => !Object.hasOwn(all, key));
  if (unknown !== undefined) throw unknownParameter(name, unknown, values, Object.keys(all));
  const read = new Map<string, unknown>();
  for (const [key, parameter] of Object.entries(all)) {
    const value = values.get(key) ?? ("default" in parameter ? parameter.default : undefined);
    if (value === undefined && "required" in parameter) {
      throw new Refusal(`'${key}' is missing for action '${name}'`, corrected(name, values, key));
    }
    if (value === undefined) continue;
    const coerced = coerce(parameter, value);
    if ("problem" in coerced) throw new Refusal(`'${key}' ${coerced.problem}`, corrected(name, values, key));
    read.set(key, coerced.value);
  }
  const host = read.get("host");
  read.delete("host");
  return { action: name, params: Object.fromEntries(read), ...(host === undefined ? {} : { host }) } as Call;
}

function dataOf(data: string | undefined, action: string): object {
  if (data === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new Refusal("'data' must be a JSON object", exampleOf(action));
}

function unknownAction(action: string, given: ReadonlyMap<string, unknown>): Refusal {
  const meant = nearest(action, capabilityActionNames);
  if (action === "") return new Refusal("A call needs an action", callText("list"));
  if (!meant) {
    return new Refusal(
      `There is no action '${clip(action)}'; there are ${capabilityActionNames.join(", ")}`,
      callText("list"),
    );
  }
  return new Refusal(`There is no action '${clip(action)}'; did you mean '${meant}'?`, corrected(meant, given));
}

function unknownParameter(
  action: CapabilityActionName,
  unknown: string,
  given: ReadonlyMap<string, unknown>,
  known: readonly string[],
): Refusal {
  const meant = nearest(
    unknown,
    known.filter((key) => !given.has(key)),
  );
  const renamed = new Map([...given].map(([key, value]) => [key === unknown && meant ? meant : key, value]));
  const what = `Action '${action}' has no parameter '${clip(unknown)}'`;
  const suggestion = meant ? `; did you mean '${meant}'?` : `; it has ${known.join(", ")}`;
  return new Refusal(what + suggestion, corrected(action, renamed));
}

/** A corrected call: valid parameters stay, wrong or missing ones come from the example. */
function corrected(action: CapabilityActionName, given: ReadonlyMap<string, unknown>, wrong?: string): string {
  const { parameters, example }: CapabilityAction = capabilityActions[action];
  const all = { ...parameters, host: hostParameter };
  const written = Object.entries(all).flatMap(([key, parameter]) => {
    const value = given.get(key);
    const isValid = value !== undefined && key !== wrong && "value" in coerce(parameter, value);
    const shown = isValid ? clip(String(value)) : "required" in parameter || key === wrong ? example[key] : undefined;
    return shown === undefined ? [] : [[key, shown]];
  });
  return callText(action, Object.fromEntries(written));
}

function exampleOf(action: string): string {
  const name = nearest(action, capabilityActionNames) ?? "list";
  return callText(name, capabilityActions[name].example);
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
