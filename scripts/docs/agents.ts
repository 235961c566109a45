import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, HookFacts } from "../../packages/paneward/src/agents/agent.ts";
import { agentNamed, builtInAgents, codingAgents, hookedAgents } from "../../packages/paneward/src/agents/registry.ts";
import type { DeliveryRules, Refusal } from "../../packages/paneward/src/model/courier/delivery-plan.ts";
import { code, table } from "./markdown.ts";

const root = join(import.meta.dirname, "../..");
const described = (names: readonly string[]): readonly Agent[] => names.flatMap((name) => agentNamed(name, {}) ?? []);

/** What Paneward reads of each agent, how it answers it and how a conversation is resumed. */
export function agentTable(): string {
  const rows = described(codingAgents).map((agent) => [
    code(agent.name),
    witnesses(agent).join(", "),
    answers(agent).join(", "),
    agent.server?.prompting ? "HTTP, keys" : "keys",
    agent.resume ? code(agent.resume(agent.cmd, "ID").join(" ")) : "",
  ]);
  return table(["Agent", "Its status is read from", "It is answered by", "It is prompted by", "Resumed by"], rows);
}

function witnesses({ readHook, server, stateFiles, readScreen, readTitle }: Agent): readonly string[] {
  return [
    ...(readHook && !server ? ["hooks"] : []),
    ...(server ? ["events over HTTP"] : []),
    ...(stateFiles ? ["state files"] : []),
    readScreen ? "screen" : "screen, as of any program",
    ...(readTitle ? ["title"] : []),
  ];
}

function answers({ server, installableHooks }: Agent): readonly string[] {
  const mayWait = JSON.stringify(installableHooks?.hooks(facts) ?? {}).includes(facts.waitCommand);
  return [...(mayWait ? ["its hook"] : []), ...(server ? ["HTTP"] : []), "keys"];
}

/** What each agent's input line makes of a text. */
export function deliveryRulesTable(): string {
  const rows = described(codingAgents).map(({ name, deliver = {} }) => [
    code(name),
    [...new Set((deliver.refuse ?? []).filter((one) => !isAlwaysGuarded(deliver, one)).map(wouldDo))].join("; "),
    (deliver.guards ?? [])
      .map((guard) => `${wouldDo(guard.against)}${isAlwaysGuarded(deliver, guard.against) ? "" : " (not every text)"}`)
      .join("; "),
    (deliver.changes ?? []).map(({ what }) => what).join("; "),
  ]);
  return table(
    [
      "Agent",
      "Refused, because it would",
      "Delivered, with keys that keep it from",
      "Changed, and noted on the receipt",
    ],
    rows,
  );
}

function wouldDo({ would }: Refusal): string {
  return would.replace(/^would /, "");
}

/** Whether every text that would be refused for this is delivered with a guard instead. */
function isAlwaysGuarded({ guards = [] }: DeliveryRules, refusal: Refusal): boolean {
  return guards.some(({ when, against }) => against === refusal && when === refusal.when);
}

/** Where each agent takes the prompt. */
export function promptTable(): string {
  const rows = described(builtInAgents).map((agent) => [
    code(agent.name),
    code(agent.cmd.join(" ")),
    promptPlace(agent),
  ]);
  const own = ["your own", code("[agents.NAME] cmd = […]"), `in place of ${code("<prompt>")}, else last argument`];
  return table(["Agent", "Command", "The prompt"], [...rows, own]);
}

function promptPlace(agent: Agent): string {
  const words = agent.withPrompt([], "PROMPT").join(" ");
  if (!words.endsWith("PROMPT")) return `not passed; it is in ${code("$PANEWARD_TASK")}`;
  const option = words.slice(0, -"PROMPT".length).trim();
  return option === "" ? "last argument" : `behind ${code(option)}`;
}

/** Which hooks a task's agent gets. */
export function launchHooksTable(): string {
  const rows = described(codingAgents).map((agent) => [code(agent.name), launchHooks(agent)]);
  return table(["Agent", "Hooks of a task's agent"], rows);
}

function launchHooks(agent: Agent): string {
  const hasHooks = (evenIfAsked: boolean) =>
    JSON.stringify(agent.withHooks?.(agent.cmd, { ...facts, evenIfAsked }) ?? {}).includes(facts.reportCommand);
  if (hasHooks(false)) return "given on its command line, beside your own";
  const wish = `${code(`[agents.${agent.name}]`)} with ${code("hooks = true")}`;
  if (hasHooks(true)) return `given on its command line when your configuration says so: ${wish}`;
  return agent.installableHooks ? "only those that you install, see above" : "none; other witnesses report";
}

const facts: HookFacts = { reportCommand: "TELL", waitCommand: "ASK", folder: "FOLDER" };

/** Where `paneward hooks install` puts hooks. */
export function installedHooksTable(): string {
  const rows = Object.entries(hookedAgents).map(([name, { file, variable, advice }]) => [
    code(name),
    `${code(file({ HOME: "~" }))}, or below ${code(variable)}`,
    advice,
  ]);
  return table(["Agent", "File", "Then"], rows);
}

/** The agents whose screens are recorded, with the version that `scripts/setup.sh agents` installs. */
export function recordedTable(): string {
  const setup = readFileSync(join(root, "scripts/setup.sh"), "utf8");
  const screens = join(root, "packages/paneward/test/screens");
  const agents = readdirSync(screens, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rows = agents.map(({ name }) => {
    const [, version = ""] = new RegExp(`^ +agent ${name} \\S+ (\\S+)$`, "m").exec(setup) ?? [];
    return [code(name), version, String(readdirSync(join(screens, name)).length)];
  });
  return table(["Agent", "Version", "Screens"], rows.toSorted());
}
