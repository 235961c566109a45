import {
  type ChannelRow,
  errorTable,
  noticeKinds,
  operationNames,
  routes,
  scopeSummaries,
  scopes,
  usualKinds,
} from "@paneward/sdk";
import { channelTable, configTable } from "@paneward/sdk/config";
import {
  type ActionParameter,
  agentStateMeanings,
  type CapabilityAction,
  capabilityActions,
  deliveryStateMeanings,
  eventTable,
  ruleKeys,
  statusMeanings,
} from "@paneward/sdk/reference";
import { catalogue, missingScope } from "../../packages/paneward/src/mcp/catalogue.ts";
import { keyPage } from "../../packages/paneward/src/tui/state/keys.ts";
import { code, table } from "./markdown.ts";

export function operationTable(): string {
  const rows = Object.entries(routes).map(([name, { method, path, scope, summary }]) => [
    code(name),
    code(`${method.toUpperCase()} ${path}`),
    scope,
    summary,
  ]);
  return table(["Operation", "Request", "Scope", "Does"], rows);
}

export function scopeTable(): string {
  const rows = scopes.map((scope) => {
    const needing = operationNames.filter((name) => routes[name].scope === scope);
    return [code(scope), scopeSummaries[scope], needing.map(code).join(", ")];
  });
  return table(["Scope", "May also", "Operations"], rows);
}

export function failureTable(): string {
  const rows = Object.entries(errorTable).map(([name, { status, exitCode, retry, hint }]) => [
    code(name),
    String(status),
    String(exitCode),
    retry,
    hint,
  ]);
  return table(["Code", "Status", "Exit code", "Try again", "Hint"], rows);
}

export function eventTypeTable(): string {
  const rows = Object.entries(eventTable).map(([type, { of, when, data }]) => {
    const fields = Object.entries(data).map(([name, note]) => `${code(name)} ${note}`.trim());
    return [code(type), when, [...(of === null ? [] : [`of ${article(of)}`]), ...fields].join(", ")];
  });
  return table(["Type", "Written when", "Data"], rows);
}

export function configurationTable(): string {
  const rows = configTable.map(({ key, default: byDefault, means }) => [
    code(key),
    byDefault === undefined ? "" : code(JSON.stringify(byDefault)),
    means,
  ]);
  return table(["Key", "Default", "Means"], rows);
}

export function noticeKindTable(): string {
  const rows = Object.entries(noticeKinds).map(([kind, means]) => [
    code(kind),
    means,
    usualKinds.some((usual) => usual === kind) ? "yes" : "only by a rule",
  ]);
  return table(["Kind", "Sent when", "By default"], rows);
}

export function noticeRuleTable(): string {
  return table(
    ["Key", "Means"],
    Object.entries(ruleKeys).map(([name, { means }]) => [code(name), means]),
  );
}

/** The keys of each kind of channel, below one another. */
export function noticeChannelTables(): string {
  const rows = Object.entries<ChannelRow>(channelTable).flatMap(([kind, { means, text, keys }]) => [
    [code(kind), "", `${means}; ${code("text")} is ${code(text)} unless you say otherwise`],
    ...Object.entries(keys).map(([name, key]) => {
      const notes = [
        key.required ? "required" : "",
        key.secret ? "secret" : "",
        key.byDefault ? `default ${code(key.byDefault)}` : "",
      ];
      const noted = notes.filter((note) => note !== "").join(", ");
      return ["", code(name), `${key.means}${noted === "" ? "" : ` (${noted})`}`];
    }),
  ]);
  return table(["Kind", "Key", "Means"], rows);
}

/** One table per place in which a key means something else. */
export function keyTables(): string {
  const places = Map.groupBy(keyPage(), ([place]) => place);
  const parts = [...places].map(([place, keys]) => {
    const rows = keys.map(([, names, what]) => [names.split(" ").map(code).join(" "), what]);
    return `### ${place}\n\n${table(["Key", "Does"], rows)}`;
  });
  return parts.join("\n\n");
}

export function toolTable(): string {
  const rows = catalogue.map((tool) => {
    const needed = scopes.find((scope) => missingScope(scope, tool) === undefined) ?? "";
    return [code(tool.name), needed, Object.keys(tool.input.shape).map(code).join(", "), tool.description];
  });
  return table(["Tool", "Scope", "Takes", "What the model reads about it"], rows);
}

export function actionTable(): string {
  const rows = Object.entries<CapabilityAction>(capabilityActions).map(([name, { what, parameters, data }]) => [
    code(name),
    what,
    Object.entries(parameters).map(parameterWords).join(", "),
    data,
  ]);
  return table(["Action", "Does", "Parameters (default)", "Data"], rows);
}

/** `pane` (0.0), `mode` start or stop. */
function parameterWords([name, parameter]: readonly [string, ActionParameter]): string {
  const choices = parameter.kind === "choice" ? [parameter.choices.join(" or ")] : [];
  const usual = parameter.default ?? parameter.usual;
  const byDefault = usual === undefined ? [] : [`(${usual})`];
  return [code(name), ...choices, ...byDefault].join(" ");
}

export const statusTable = () => meanings("Status", statusMeanings, String);
export const agentStateTable = () => meanings("State", agentStateMeanings, code);
export const deliveryStateTable = () => meanings("State", deliveryStateMeanings, String);

function meanings(title: string, words: Readonly<Record<string, string>>, shown: (name: string) => string): string {
  const rows = Object.entries(words).map(([name, means]) => [shown(name), means]);
  return table([title, "Means"], rows);
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
