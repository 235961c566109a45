import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  agentTable,
  deliveryRulesTable,
  installedHooksTable,
  launchHooksTable,
  promptTable,
  recordedTable,
} from "./agents.ts";
import { commandSections, exitCodeTable } from "./commands.ts";
import {
  actionTable,
  agentStateTable,
  configurationTable,
  deliveryStateTable,
  eventTypeTable,
  failureTable,
  keyTables,
  noticeChannelTables,
  noticeKindTable,
  noticeRuleTable,
  operationTable,
  scopeTable,
  statusTable,
  toolTable,
} from "./tables.ts";

/** What a page can hold between `<!-- generated: NAME -->` and `<!-- end -->`. */
export const parts: Readonly<Record<string, () => string>> = {
  "agent prompts": promptTable,
  "agent states": agentStateTable,
  agents: agentTable,
  "capability actions": actionTable,
  commands: commandSections,
  configuration: configurationTable,
  "delivery rules": deliveryRulesTable,
  "delivery states": deliveryStateTable,
  errors: failureTable,
  events: eventTypeTable,
  "exit codes": exitCodeTable,
  "hooks at launch": launchHooksTable,
  "installed hooks": installedHooksTable,
  keys: keyTables,
  "notice channels": noticeChannelTables,
  "notice kinds": noticeKindTable,
  "notice rules": noticeRuleTable,
  operations: operationTable,
  "recorded agents": recordedTable,
  scopes: scopeTable,
  statuses: statusTable,
  tools: toolTable,
};

export interface Page {
  readonly path: string;
  readonly there: string;
  readonly wanted: string;
}

/** Every page with a generated part, as it is and as the tables in the code want it. */
export function generatedPages(root: string): readonly Page[] {
  return globSync(["*.md", "docs/*.md"], { cwd: root })
    .toSorted()
    .map((path) => ({ path, there: readFileSync(join(root, path), "utf8") }))
    .filter(({ there }) => there.includes("<!-- generated: "))
    .map((page) => ({ ...page, wanted: renewed(page.there, parts) }));
}

/** A page with everything between its marks made again; the rest is left as it is. */
export function renewed(page: string, made: typeof parts): string {
  const [begin = "", ...marked] = page.split(/^<!-- generated: (?=.* -->$)/m);
  const rest = marked.map((text) => {
    const [, name = "", after] = /^(.*?) -->$.*?^<!-- end -->$(.*)/ms.exec(text) ?? [];
    const part = made[name];
    if (after === undefined) throw new Error(`no <!-- end --> follows <!-- generated: ${text.split("\n")[0]}`);
    if (!part) throw new Error(`nothing makes "${name}"; there are ${Object.keys(made).join(", ")}`);
    return `<!-- generated: ${name} -->\n\n${part()}\n\n<!-- end -->${after}`;
  });
  return [begin, ...rest].join("");
}
