import {
  addressProblem,
  type ChannelConfig,
  type NotifyRule,
  quietProblem,
  readChannel,
  readRules,
  timeZoneProblem,
} from "./notify-config.ts";
import { originProblem } from "./origins.ts";
import { ownValue } from "./own-value.ts";

/** The configuration in force: defaults, then the user's file, then the project's. */
export interface Config {
  readonly agent: string;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly daemon: {
    readonly socket_path?: string;
    readonly tmux_socket_path?: string;
    readonly event_retention: number;
    readonly journal_max_mb: number;
    /** What becomes of programs that were lost with their tmux server, as by a reboot. */
    readonly restore: "ask" | "always" | "never";
  };
  readonly bootstrap: {
    readonly cmd?: string;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
  };
  readonly git: { readonly filters: readonly string[] };
  readonly hosts: Readonly<Record<string, HostConfig>>;
  readonly web: {
    readonly port: number;
    /** Under which the dashboard is opened from elsewhere, through a proxy. */
    readonly origins: readonly string[];
    readonly funnel: boolean;
    /** Whether a browser under an https origin needs a passkey beside its key. */
    readonly passkeys: "required" | "off";
  };
  readonly tmux_bridge: {
    readonly health_check_interval: number;
    readonly subprocess_timeout: number;
    readonly text_enter_delay_ms: number;
    readonly sequential_send_delay_ms: number;
  };
  readonly capability: { readonly session: string; readonly history_limit: number; readonly host: string };
  readonly attention: { readonly stuck_seconds: number };
  readonly team: { readonly silence_seconds: number };
  readonly notify: {
    readonly dwell_seconds: number;
    readonly cooldown_seconds: number;
    readonly escalate_minutes: number;
    readonly digest: number;
    readonly away_seconds: number;
    readonly quiet: readonly string[];
    readonly time_zone?: string;
    readonly url?: string;
    readonly channels: Readonly<Record<string, ChannelConfig>>;
    readonly rules: readonly NotifyRule[];
  };
}

export interface AgentConfig {
  readonly cmd: readonly string[];
  /** Hooks also for an agent that asks whether they may run. */
  readonly hooks?: boolean;
  /** Its input line takes any text for a text. */
  readonly plain_text?: boolean;
}

export interface HostConfig {
  readonly prefix: readonly string[];
  readonly quoting: "argv" | "posix";
  readonly socket?: string;
}

export const defaultConfig: Config = {
  // A default like any other; a test makes sure that such an agent is built in.
  agent: "claude",
  agents: {},
  daemon: { event_retention: 100_000, journal_max_mb: 64, restore: "ask" },
  bootstrap: { include: [], exclude: [] },
  git: { filters: [] },
  hosts: {},
  web: { port: 7_420, origins: [], funnel: false, passkeys: "required" },
  tmux_bridge: {
    health_check_interval: 30,
    subprocess_timeout: 5,
    text_enter_delay_ms: 100,
    sequential_send_delay_ms: 150,
  },
  capability: { session: "artie", history_limit: 10_000, host: "local" },
  attention: { stuck_seconds: 600 },
  team: { silence_seconds: 60 },
  notify: {
    ...{ dwell_seconds: 5, cooldown_seconds: 60, escalate_minutes: 10, digest: 5, away_seconds: 60 },
    ...{ quiet: [], channels: {}, rules: [] },
  },
};

/** The largest configuration file that is read. */
export const maxConfigBytes = 1024 * 1024;

export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

export interface ConfigFile {
  readonly name: string;
  readonly value: unknown;
  /** A repository's own: it has no say in what belongs to the user, such as sockets, hosts and ports. */
  readonly ofRepository?: boolean;
}

/**
 * Lays parsed TOML files over the defaults, the last one on top. Unknown keys, wrong types, and keys that the file has no say
 * in warn and are left out.
 */
export function mergeConfig(files: readonly ConfigFile[]): ReadConfig {
  const warnings: string[] = [];
  const config = files.reduce<unknown>(
    (below, file) => layer(below, withoutIgnored(file, warnings), shape, file.name, "", warnings),
    defaultConfig,
  );
  return { config: config as Config, warnings };
}

const ofRepositories = ["agent", "agents", "bootstrap"];

function withoutIgnored({ name, value, ofRepository }: ConfigFile, warnings: string[]): unknown {
  if (!ofRepository || !isTable(value) || !("fields" in shape)) return value;
  const { fields } = shape;
  const isIgnored = (key: string) => ownValue(fields, key) !== undefined && !ofRepositories.includes(key);
  const { ignored = [], taken = [] } = Object.groupBy(Object.entries(value), ([key]) =>
    isIgnored(key) ? "ignored" : "taken",
  );
  for (const [key, inner] of ignored)
    for (const path of leavesOf(key, inner))
      warnings.push(`${name}: ${path} is ignored here: only your own file sets it`);
  return Object.fromEntries(taken);
}

function leavesOf(path: string, value: unknown): readonly string[] {
  const inner = isTable(value) ? Object.entries(value) : [];
  return inner.length === 0 ? [path] : inner.flatMap(([key, one]) => leavesOf(`${path}.${key}`, one));
}

type Shape =
  | Leaf
  | Custom
  | { readonly fields: Readonly<Record<string, Shape>> }
  | {
      readonly each: Shape;
      readonly fresh: object;
      /** What is missing in an entry as a whole. It is left out. */
      readonly missing?: (entry: object) => string | undefined;
    };

interface Leaf {
  readonly type: keyof typeof wanted;
  readonly means: string;
  /** Of a number: smaller or larger ones would do harm. */
  readonly range?: Range;
  /** Of a list: what is wrong with one of its texts. That one is left out. */
  readonly problem?: (text: string) => string | undefined;
}

/** A value with rules of its own, which returns what can be used of it. */
interface Custom {
  readonly read: (value: unknown, at: string, warn: (text: string) => void) => unknown;
  readonly rows: Readonly<Record<string, string>>;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

const aDay = 86_400;

const shape: Shape = {
  fields: {
    agent: key("string", "the agent of a new task"),
    agents: {
      each: {
        fields: {
          cmd: key("strings", "the command of an agent, [built in](agents.md) or your own"),
          hooks: key(
            "boolean",
            "`true` gives hooks also to an agent that asks whether they may run ([which](hooks.md))",
          ),
          plain_text: key(
            "boolean",
            "your own agent takes any text for a text: without it, a prompt that begins with `!` or `/word` is refused; only your own file counts for a running one",
          ),
        },
      },
      fresh: { cmd: [] },
    },
    daemon: {
      fields: {
        socket_path: key("string", "the daemon's socket"),
        tmux_socket_path: key("string", "the private tmux server's socket"),
        event_retention: whole("number of events to keep", 1, 100_000_000),
        journal_max_mb: whole("output to keep per terminal, in MiB; at least 2", 2, 1_048_576),
        restore: key(
          "restore",
          '`"always"`: programs that were lost with their tmux server, as by a reboot, [come back by themselves](restore.md); `"ask"`: Paneward says how many can; `"never"`: it says nothing',
        ),
      },
    },
    bootstrap: {
      fields: {
        cmd: key("string", "a shell command that replaces `.paneward/setup.sh`"),
        include: key("strings", "more files to copy into a worktree, as globs"),
        exclude: key("strings", "files not to copy, as globs"),
      },
    },
    git: {
      fields: {
        filters: key(
          "strings",
          "filters of your own git configuration that may run, such as `lfs` ([why](decisions/0033-safe-git.md))",
        ),
      },
    },
    hosts: {
      each: {
        fields: {
          prefix: key("strings", "the argv prefix for everything that runs on this host"),
          quoting: key("quoting", '`"argv"`, or `"posix"` for ssh'),
          socket: key(
            "string",
            "the tmux socket on the host; without it, behind a prefix, the default one of `tmux` there",
          ),
        },
      },
      fresh: { prefix: [], quoting: "argv" },
      missing: ({ prefix, socket }: Partial<HostConfig>) =>
        prefix?.length === 0 && socket === undefined ? "neither a prefix nor a socket" : undefined,
    },
    web: {
      fields: {
        port: whole("the port of HTTP on 127.0.0.1; 0 takes a free one", 0, 65_535),
        origins: {
          ...key(
            "strings",
            "where people open the dashboard [through a proxy](remote.md), such as `https://box.example.org`",
          ),
          problem: originProblem,
        },
        passkeys: key(
          "passkeys",
          '`"required"`: devices under https addresses are [paired and have a passkey](devices.md#passkeys); `"off"`: a login link is enough there, too',
        ),
        funnel: key(
          "boolean",
          "`true` also answers the whole internet, through [Tailscale Funnel](remote.md#tailscale)",
        ),
      },
    },
    tmux_bridge: {
      fields: {
        text_enter_delay_ms: whole("pause between a text and its Enter, in ms", 0, 10_000),
        sequential_send_delay_ms: whole("pause between two keys, in ms", 0, 10_000),
        health_check_interval: number("seconds between two checks whether an agent is reachable", 1, aDay),
        subprocess_timeout: number(
          "timeout of tmux, in seconds; three times this to connect or to start a program",
          0.1,
          600,
        ),
      },
    },
    capability: {
      fields: {
        session: key("string", "the session of the capability"),
        host: key("string", "the host of that session"),
        history_limit: whole("the scrollback of that session, in lines", 0, 10_000_000),
      },
    },
    attention: {
      fields: {
        stuck_seconds: number(
          "seconds without output and CPU use after which a working agent is shown as stuck",
          1,
          30 * aDay,
        ),
      },
    },
    team: {
      fields: {
        silence_seconds: number(
          "seconds of idleness after which a worker is reported to its leader as silent",
          1,
          30 * aDay,
        ),
      },
    },
    notify: {
      fields: {
        dwell_seconds: number(
          "seconds before a notice is sent, if there is still a reason for it ([more](notify.md))",
          0,
          aDay,
        ),
        cooldown_seconds: number(
          "seconds before another notice of the same kind for a task, unless the last one was answered",
          0,
          aDay,
        ),
        escalate_minutes: number("minutes without an answer before the next channel gets the notice", 0.01, 7 * 1_440),
        digest: whole("more notices than this within a minute become one", 1, 1_000),
        away_seconds: number(
          "seconds that the daemon, if it did not stop by itself, may be gone before you are told; longer than it takes to start",
          1,
          aDay,
        ),
        quiet: {
          read: checked(quietProblem),
          rows: { "": 'when nothing is sent, such as `["22:00-07:30"]`; what still needs you is sent afterwards' },
        },
        time_zone: {
          read: checked(timeZoneProblem),
          rows: { "": 'where you are, for `quiet`, such as `"Europe/Berlin"`; without it, where the daemon runs' },
        },
        url: {
          read: checked(addressProblem),
          rows: {
            "": "the dashboard's address for links in notices, as your phone reaches it; without it, the first https one of `web.origins`",
          },
        },
        channels: {
          each: {
            read: readChannel,
            rows: {
              kind: "the kind of a channel; each has [more keys](notify.md#channels)",
              text: '`"none"`, `"title"` or `"full"`: how much text leaves',
            },
          },
          fresh: {},
        },
        rules: { read: readRules, rows: { "": "which notices go through which channels ([more](notify.md#rules))" } },
      },
    },
  },
};

function checked(problemOf: (value: unknown) => string | undefined): Custom["read"] {
  return (value, at, warn) => {
    const problem = problemOf(value);
    return problem === undefined ? value : void warn(`${at} ${problem}; the value is ignored`);
  };
}

function key(type: Leaf["type"], means: string): Leaf {
  return { type, means };
}

function number(means: string, min: number, max: number): Leaf {
  return { type: "number", means, range: { min, max } };
}

function whole(means: string, min: number, max: number): Leaf {
  return { type: "number", means, range: { min, max, whole: true } };
}

/** One key that a file may hold; `*` means any name, as in `agents.*.cmd`. */
export interface ConfigRow {
  readonly key: string;
  readonly default: unknown;
  readonly means: string;
}

export const configTable: readonly ConfigRow[] = rowsOf(shape, defaultConfig, []);

function rowsOf(as: Shape, byDefault: unknown, path: readonly string[]): readonly ConfigRow[] {
  if ("type" in as) return [{ key: path.join("."), default: byDefault, means: as.means }];
  if ("read" in as) {
    const named = ([name, means]: readonly [string, string]) => ({
      key: [...path, ...(name === "" ? [] : [name])].join("."),
      default: byDefault,
      means,
    });
    return Object.entries(as.rows).map(named);
  }
  const inner = "fields" in as ? Object.entries(as.fields) : [["*", as.each] as const];
  return inner.flatMap(([name, one]) => rowsOf(one, Object(byDefault)[name], [...path, name]));
}

function layer(below: unknown, value: unknown, as: Shape, file: string, at: string, warnings: string[]): unknown {
  if ("type" in as) return leaf(below, value, as, file, at, warnings);
  if ("read" in as) return as.read(value, at, (text) => warnings.push(`${file}: ${text}`)) ?? below;
  if (!isTable(value)) {
    warnings.push(`${file}: ${at} should be a table; the value is ignored`);
    return below;
  }
  const merged = new Map(Object.entries(below as object));
  for (const [key, inner] of Object.entries(value)) {
    const path = at === "" ? key : `${at}.${key}`;
    const innerShape = "fields" in as ? ownValue(as.fields, key) : as.each;
    if (!innerShape) {
      warnings.push(`${file}: unknown key ${path}`);
      continue;
    }
    const isFresh = !("fields" in as) && !("read" in innerShape) && !merged.has(key);
    const start = isFresh ? as.fresh : merged.get(key);
    const result = layer(start, inner, innerShape, file, path, warnings);
    if (result !== undefined && isWhole(result, as, `${file}: ${path}`, warnings)) merged.set(key, result);
  }
  return Object.fromEntries(merged);
}

function isWhole(entry: unknown, as: Shape, where: string, warnings: string[]): boolean {
  const missing = "each" in as && isTable(entry) ? as.missing?.(entry) : undefined;
  if (missing !== undefined) warnings.push(`${where} has ${missing}; it is left out`);
  return missing === undefined;
}

function leaf(below: unknown, value: unknown, as: Leaf, file: string, at: string, warnings: string[]): unknown {
  const { type, range, problem } = as;
  if (!fits(value, type)) {
    warnings.push(`${file}: ${at} should be ${wanted[type]}; the value is ignored`);
    return below;
  }
  if (range && !isWithin(value, range)) {
    const kind = range.whole ? "a whole number" : "a number";
    warnings.push(`${file}: ${at} should be ${kind} from ${range.min} to ${range.max}; the value is ignored`);
    return below;
  }
  if (problem) return [...new Set(strings(value))].filter((text) => isGood(text, problem, `${file}: ${at}`, warnings));
  // What to copy adds up over the files; everywhere else the last file wins.
  const addsUp = type === "strings" && at.startsWith("bootstrap.");
  return addsUp ? [...strings(below), ...strings(value)] : value;
}

function isGood(text: string, problem: NonNullable<Leaf["problem"]>, where: string, warnings: string[]): boolean {
  const found = problem(text);
  if (found !== undefined) warnings.push(`${where}: ${JSON.stringify(text.slice(0, 100))} ${found}; it is left out`);
  return found === undefined;
}

const wanted = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  strings: "a list of strings",
  quoting: '"argv" or "posix"',
  passkeys: '"required" or "off"',
  restore: '"ask", "always" or "never"',
} as const;

function fits(value: unknown, as: Leaf["type"]): boolean {
  if (as === "strings") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (as === "quoting") return value === "argv" || value === "posix";
  if (as === "passkeys") return value === "required" || value === "off";
  if (as === "restore") return value === "ask" || value === "always" || value === "never";
  return typeof value === as;
}

// NaN and infinity are numbers of TOML too.
function isWithin(value: unknown, { min, max, whole = false }: Range): boolean {
  return typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
