/** The configuration in force: defaults, then the user's file, then the project's. */
export interface Config {
  readonly agent: string;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly daemon: {
    readonly socket_path?: string;
    readonly tmux_socket_path?: string;
    readonly event_retention: number;
    readonly journal_max_mb: number;
  };
  readonly bootstrap: {
    readonly cmd?: string;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
  };
  readonly hosts: Readonly<Record<string, HostConfig>>;
  readonly web: { readonly port: number };
  readonly tmux_bridge: {
    readonly health_check_interval: number;
    readonly subprocess_timeout: number;
    readonly text_enter_delay_ms: number;
    readonly sequential_send_delay_ms: number;
  };
  readonly capability: { readonly session: string; readonly history_limit: number; readonly host: string };
  readonly attention: { readonly stuck_seconds: number };
  readonly team: { readonly silence_seconds: number };
}

export interface AgentConfig {
  readonly cmd: readonly string[];
  /** Hooks also for an agent that asks whether they may run. */
  readonly hooks?: boolean;
}

export interface HostConfig {
  readonly prefix: readonly string[];
  readonly quoting: "argv" | "posix";
  readonly socket?: string;
}

export const defaultConfig: Config = {
  agent: "claude",
  agents: {},
  daemon: { event_retention: 100_000, journal_max_mb: 64 },
  bootstrap: { include: [], exclude: [] },
  hosts: {},
  web: { port: 7_420 },
  tmux_bridge: {
    health_check_interval: 30,
    subprocess_timeout: 5,
    text_enter_delay_ms: 100,
    sequential_send_delay_ms: 150,
  },
  capability: { session: "artie", history_limit: 10_000, host: "local" },
  attention: { stuck_seconds: 600 },
  team: { silence_seconds: 60 },
};

export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** Lays parsed TOML files over the defaults, the last one on top. Unknown keys and wrong types warn and are left out. */
export function mergeConfig(files: readonly { readonly name: string; readonly value: unknown }[]): ReadConfig {
  const warnings: string[] = [];
  const config = files.reduce<unknown>(
    (below, file) => layer(below, file.value, shape, file.name, "", warnings),
    defaultConfig,
  );
  return { config: config as Config, warnings };
}

type Shape =
  | "string"
  | "number"
  | "boolean"
  | "strings"
  | "quoting"
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly each: Shape; readonly fresh: object };

const shape: Shape = {
  fields: {
    agent: "string",
    agents: { each: { fields: { cmd: "strings", hooks: "boolean" } }, fresh: { cmd: [] } },
    daemon: {
      fields: {
        socket_path: "string",
        tmux_socket_path: "string",
        event_retention: "number",
        journal_max_mb: "number",
      },
    },
    bootstrap: { fields: { cmd: "string", include: "strings", exclude: "strings" } },
    hosts: {
      each: { fields: { prefix: "strings", quoting: "quoting", socket: "string" } },
      fresh: { prefix: [], quoting: "argv" },
    },
    web: { fields: { port: "number" } },
    tmux_bridge: {
      fields: {
        health_check_interval: "number",
        subprocess_timeout: "number",
        text_enter_delay_ms: "number",
        sequential_send_delay_ms: "number",
      },
    },
    capability: { fields: { session: "string", history_limit: "number", host: "string" } },
    attention: { fields: { stuck_seconds: "number" } },
    team: { fields: { silence_seconds: "number" } },
  },
};

/** Every key that a file may hold; `*` stands for a name, as in `agents.*.cmd`. */
export const configKeys: readonly string[] = keysOf(shape);

function keysOf(as: Shape): readonly string[] {
  if (typeof as === "string") return [""];
  const inner = "fields" in as ? Object.entries(as.fields) : [["*", as.each] as const];
  return inner.flatMap(([name, one]) => keysOf(one).map((key) => (key === "" ? name : `${name}.${key}`)));
}

function layer(below: unknown, value: unknown, as: Shape, file: string, at: string, warnings: string[]): unknown {
  if (typeof as === "string") return leaf(below, value, as, file, at, warnings);
  if (!isTable(value)) {
    warnings.push(`${file}: ${at} should be a table; the value is ignored`);
    return below;
  }
  const merged: Record<string, unknown> = { ...(below as object) };
  for (const [key, inner] of Object.entries(value)) {
    const path = at === "" ? key : `${at}.${key}`;
    const innerShape = "fields" in as ? as.fields[key] : as.each;
    if (!innerShape) {
      warnings.push(`${file}: unknown key ${path}`);
      continue;
    }
    const start = "fields" in as ? merged[key] : (merged[key] ?? as.fresh);
    const result = layer(start, inner, innerShape, file, path, warnings);
    if (result !== undefined) merged[key] = result;
  }
  return merged;
}

function leaf(below: unknown, value: unknown, as: keyof typeof wanted, file: string, at: string, warnings: string[]) {
  if (!fits(value, as)) {
    warnings.push(`${file}: ${at} should be ${wanted[as]}; the value is ignored`);
    return below;
  }
  // What to copy adds up over the files; everywhere else the last file wins.
  const addsUp = as === "strings" && at.startsWith("bootstrap.");
  return addsUp ? [...strings(below), ...strings(value)] : value;
}

const wanted = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  strings: "a list of strings",
  quoting: '"argv" or "posix"',
} as const;

function fits(value: unknown, as: keyof typeof wanted): boolean {
  if (as === "strings") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (as === "quoting") return value === "argv" || value === "posix";
  return typeof value === as;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
