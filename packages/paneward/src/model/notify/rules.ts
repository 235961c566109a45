import { type Config, type NotifyRule, usualKinds } from "@paneward/sdk";
import type { Fact } from "./notice.ts";

/** What is done with a fact: the first rule that fits, filled up with what holds in general. */
export interface Route {
  readonly channels: readonly string[];
  readonly escalate: readonly string[];
  readonly escalateMs: number;
  readonly dwellMs: number;
  readonly cooldownMs: number;
  readonly quiet: readonly string[];
}

/** Undefined: nobody is to be told. */
export function routeOf(notify: Config["notify"], fact: Fact): Route | undefined {
  const rule = notify.rules.find((one) => fits(one, fact)) ?? (usualKinds.includes(fact.kind) ? {} : undefined);
  if (!rule) return undefined;
  const later = known(notify, rule.escalate ?? []);
  const all = Object.keys(notify.channels).filter((name) => !later.includes(name));
  const first = rule.channels === undefined ? all : known(notify, rule.channels);
  if (rule.channels?.length === 0) return undefined;
  // A channel that is spelled wrongly, or left out because a key is wrong, cannot be reached: the next one follows at once.
  const [channels, escalate] = first.length > 0 ? [first, later] : [later.slice(0, 1), later.slice(1)];
  const left = channels.filter((name) => !fact.shownBy?.includes(name));
  if (left.length === 0) return undefined;
  return {
    ...{ channels: left, escalate },
    escalateMs: (rule.escalate_minutes ?? notify.escalate_minutes) * 60_000,
    dwellMs: (rule.dwell_seconds ?? notify.dwell_seconds) * 1_000,
    cooldownMs: (rule.cooldown_seconds ?? notify.cooldown_seconds) * 1_000,
    quiet: rule.quiet ?? notify.quiet,
  };
}

/** Names of channels that rules use and that there are not. */
export function unknownChannels({ rules, channels }: Config["notify"]): readonly string[] {
  const named = rules.flatMap(({ channels: told = [], escalate = [] }) => [...told, ...escalate]);
  return [...new Set(named)].filter((name) => !Object.hasOwn(channels, name));
}

function known({ channels }: Config["notify"], names: readonly string[]): readonly string[] {
  return names.filter((name) => Object.hasOwn(channels, name));
}

function fits({ kinds = usualKinds, project, task, agent }: NotifyRule, { kind, subject }: Fact): boolean {
  const { project: folder, agent: own } = subject;
  return (
    kinds.includes(kind) &&
    (project === undefined || (folder !== undefined && matches(project, [folder, lastPart(folder)]))) &&
    (agent === undefined || (own !== undefined && matches(agent, [own]))) &&
    (task === undefined || matches(task, [subject.name, String(subject.task ?? ""), subject.terminal ?? ""]))
  );
}

function lastPart(folder: string): string {
  return folder.split("/").at(-1) ?? "";
}

/** `*` is any text; everything else is meant as it is written. */
function matches(pattern: string, texts: readonly string[]): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(".*")}$`, "s");
  return texts.some((text) => whole.test(text));
}
