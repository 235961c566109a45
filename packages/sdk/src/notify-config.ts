import { nearest } from "./nearest.ts";
import { type ChannelKey, type ChannelKindName, type ChannelRow, channelTable } from "./notice-channels.ts";
import { type NoticeKind, noticeKinds, type TextLevel, textLevels } from "./notice-kinds.ts";
import { ownValue } from "./own-value.ts";

/** A channel with the keys of its kind, checked. */
export interface ChannelConfig {
  readonly kind: ChannelKindName;
  readonly text: TextLevel;
  readonly [key: string]: string | readonly string[];
}

/** Which notices go through which channels. The first rule that fits decides. */
export interface NotifyRule {
  readonly kinds?: readonly NoticeKind[];
  /** A repository's folder, or a name with `*`. */
  readonly project?: string;
  /** A task's id or slug, or a terminal's id or name, with `*`. */
  readonly task?: string;
  readonly agent?: string;
  /** Absent: all. Empty: none. */
  readonly channels?: readonly string[];
  readonly escalate?: readonly string[];
  readonly escalate_minutes?: number;
  readonly dwell_seconds?: number;
  readonly cooldown_seconds?: number;
  readonly quiet?: readonly string[];
}

type Warn = (text: string) => void;
type Settings = Readonly<Record<string, string | readonly string[]>>;

/** One `[notify.channels.NAME]`; undefined, with a warning, if it cannot be used. */
export function readChannel(value: unknown, at: string, warn: Warn): ChannelConfig | undefined {
  try {
    if (!isTable(value)) throw new Mistake(`${at} should be a table`);
    if (at.includes("/")) throw new Mistake(`${at}: a channel's name holds no slash`);
    const { kind: named, text: level, ...rest } = value;
    const kind = kindIn(named, at);
    const row: ChannelRow = channelTable[kind];
    const text = textLevels.find((one) => one === (level ?? row.text));
    if (!text) throw new Mistake(`${at}.text should be one of ${textLevels.join(", ")}`);
    return { ...settingsIn(rest, row, at), kind, text };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { message } = error;
    return void warn(`${message}${message.endsWith("?") ? "" : "."} The channel is not used`);
  }
}

/** What is wrong with a channel, in words. */
class Mistake extends Error {}

function kindIn(kind: unknown, at: string): ChannelKindName {
  if (typeof kind === "string" && Object.hasOwn(channelTable, kind)) return kind as ChannelKindName;
  const kinds = Object.keys(channelTable);
  if (kind === undefined) throw new Mistake(`${at}.kind is missing; there are ${kinds.join(", ")}`);
  const meant = typeof kind === "string" ? suggestion(kind, kinds) : "";
  throw new Mistake(`${at}.kind is unknown: ${JSON.stringify(kind)}${meant || `; there are ${kinds.join(", ")}`}`);
}

function settingsIn(given: Readonly<Record<string, unknown>>, row: ChannelRow, at: string): Settings {
  const allowed = new Map(Object.entries(row.keys).flatMap(([name, key]) => spellings(name, key)));
  const settings = Object.entries(given).map(([name, value]) => {
    const key = allowed.get(name);
    if (!key) throw new Mistake(`unknown key ${at}.${name}${suggestion(name, [...allowed.keys()])}`);
    if (!fits(value, key.type)) throw new Mistake(`${at}.${name} should be ${words[key.type]}`);
    return [name, typeof value === "object" ? value : String(value)] as const;
  });
  return { ...defaultsOf(row), ...requireAll(Object.fromEntries(settings), row, at) };
}

function requireAll(settings: Settings, row: ChannelRow, at: string): Settings {
  for (const [name, key] of Object.entries(row.keys)) {
    const given = spellings(name, key).flatMap(([spelling]) => (spelling in settings ? [spelling] : []));
    if (given.length > 1) throw new Mistake(`${at}: give only one of ${given.join(", ")}`);
    if (given.length === 0 && key.required) throw new Mistake(`${at}.${name} is missing: ${key.means}`);
  }
  return settings;
}

function defaultsOf({ keys }: ChannelRow): Settings {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([name, { byDefault }]) => (byDefault === undefined ? [] : [[name, byDefault]])),
  );
}

function suggestion(written: string, all: readonly string[]): string {
  const close = nearest(written, all);
  return close === undefined ? "" : `; did you mean "${close}"?`;
}

/** A secret may be in the file itself, in a file of its own, or printed by a program. */
function spellings(name: string, key: ChannelKey): readonly (readonly [string, ChannelKey])[] {
  if (!key.secret) return [[name, key]];
  return [
    [name, key],
    [`${name}_file`, { ...key, type: "string" }],
    [`${name}_command`, { ...key, type: "argv" }],
  ];
}

function isAddress(text: unknown, ...protocols: readonly string[]): boolean {
  return typeof text === "string" && protocols.includes(URL.parse(text)?.protocol ?? "");
}

function isHost(text: string): boolean {
  return /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i.test(text);
}

/** `[[notify.rules]]`. A rule with a mistake is left out, so that it does not tell more than it should. */
export function readRules(value: unknown, at: string, warn: Warn): readonly NotifyRule[] {
  if (!Array.isArray(value)) {
    warn(`${at} should be a list: write [[notify.rules]]; it is ignored`);
    return [];
  }
  return value.flatMap((one, index) => readRule(one, `${at}[${index + 1}]`, warn) ?? []);
}

function readRule(value: unknown, at: string, warn: Warn): NotifyRule | undefined {
  if (!isTable(value)) return void warn(`${at} should be a table; the rule is ignored`);
  for (const [name, one] of Object.entries(value)) {
    const key = ownValue<RuleKey>(ruleKeys, name);
    if (!key) {
      const meant = suggestion(name, Object.keys(ruleKeys));
      return void warn(`unknown key ${at}.${name}${meant}${meant === "" ? "." : ""} The rule is ignored`);
    }
    const problem = key.problem(one);
    if (problem !== undefined) return void warn(`${at}.${name} ${problem}. The rule is ignored`);
  }
  return value as NotifyRule;
}

interface RuleKey {
  readonly means: string;
  /** What is wrong with a value; undefined if nothing is. */
  readonly problem: (value: unknown) => string | undefined;
}

/** What a rule may hold, for its check and for the documentation. */
export const ruleKeys: Readonly<Record<keyof NotifyRule, RuleKey>> = {
  kinds: {
    means: "the kinds of notices that it is about; without it, the usual ones",
    problem: (value) => {
      if (!fits(value, "strings")) return "should be a list of strings";
      const unknown = (value as readonly string[]).find((one) => !Object.hasOwn(noticeKinds, one));
      return unknown === undefined
        ? undefined
        : `holds ${JSON.stringify(unknown)}; there are ${Object.keys(noticeKinds).join(", ")}`;
    },
  },
  project: { means: "the repository: its folder, or the folder's name; `*` is any text", problem: string },
  task: { means: "a task's id or slug, or a terminal's id or name; `*` is any text", problem: string },
  agent: { means: "the agent by its name; `*` is any text", problem: string },
  channels: { means: "the channels that send it; without this key, all of them, with `[]`, none", problem: strings },
  escalate: { means: "the channels that follow, one after the other, while nobody answers", problem: strings },
  escalate_minutes: { means: "how long each of them waits", problem: (value) => range(value, 0.01, 10_080) },
  dwell_seconds: {
    means: "seconds before a notice is sent, if there is still a reason for it",
    problem: (value) => range(value, 0, 86_400),
  },
  cooldown_seconds: {
    means: "seconds before another notice of this kind for the same task, unless the last one was answered",
    problem: (value) => range(value, 0, 86_400),
  },
  quiet: {
    means: 'when nothing is sent, such as `["22:00-07:30"]`; what still needs you is sent afterwards',
    problem: quietProblem,
  },
};

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? undefined : "should be a string";
}

function strings(value: unknown): string | undefined {
  return fits(value, "strings") ? undefined : "should be a list of strings";
}

function range(value: unknown, min: number, max: number): string | undefined {
  return typeof value === "number" && value >= min && value <= max
    ? undefined
    : `should be a number from ${min} to ${max}`;
}

/** What is wrong with a list of quiet hours. */
export function quietProblem(value: unknown): string | undefined {
  if (!fits(value, "strings")) return "should be a list of strings";
  const wrong = (value as readonly string[]).find((one) => !quietPattern.test(one));
  return wrong === undefined ? undefined : `holds ${JSON.stringify(wrong)}, which is not like "22:00-07:30"`;
}

const quietPattern = /^([01]?\d|2[0-3]):[0-5]\d-([01]?\d|2[0-3]):[0-5]\d$/;

/** What is wrong with the name of a time zone. */
export function timeZoneProblem(value: unknown): string | undefined {
  try {
    if (typeof value === "string" && new Intl.DateTimeFormat("en", { timeZone: value })) return undefined;
  } catch {
    // There is none of this name.
  }
  return 'should be a time zone, such as "Europe/Berlin"';
}

export function addressProblem(value: unknown): string | undefined {
  return fits(value, "address") ? undefined : `should be ${words.address}`;
}

const words = {
  string: "a string",
  address: "an address that begins with https:// or http://",
  contact: "an address that begins with mailto: or https:",
  hosts: "a list of hosts, such as push.example.org",
  argv: 'a list of strings, a program and its arguments, such as ["pass", "show", "ntfy"]',
  id: "a string or a whole number",
} as const;

function fits(value: unknown, type: ChannelKey["type"] | "strings"): value is string | number | readonly string[] {
  if (type === "address") return isAddress(value, "https:", "http:");
  if (type === "contact") return isAddress(value, "mailto:", "https:");
  if (type === "hosts") return fits(value, "strings") && Array.isArray(value) && value.every(isHost);
  if (type === "argv") return fits(value, "strings") && Array.isArray(value) && /^[^\0]+$/.test(value[0] ?? "");
  if (type === "strings") return Array.isArray(value) && value.every((one) => typeof one === "string");
  if (type === "id" && Number.isSafeInteger(value)) return true;
  return typeof value === "string" && value !== "";
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
