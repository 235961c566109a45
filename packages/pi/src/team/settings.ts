import { join } from "node:path";
import { readForeignSync } from "@paneward/sdk/node/files";

type Environment = Readonly<Record<string, string | undefined>>;

/** `team` in pi's settings.json. */
export interface TeamSettings {
  /** Variables passed to a worker besides PATH and HOME. */
  readonly env: readonly string[];
  /** The worker's program. */
  readonly cmd: readonly string[];
}

const defaults: TeamSettings = {
  env: [
    "PI_CODING_AGENT_DIR",
    "PI_OFFLINE",
    "PI_TEAM_WORKSPACE_ROOT",
    "LANG",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "XAI_API_KEY",
    "OPENROUTER_API_KEY",
  ],
  cmd: ["pi"],
};

/** Never passed on: a worker gets its token from the team's runtime.json. */
const withheld: ReadonlySet<string> = new Set(["PI_TEAMD_URL", "PI_TEAMD_TOKEN", "PI_TEAMD_TOKEN_FILE"]);

export function readSettings(env: Environment): TeamSettings {
  const folder = env.PI_CODING_AGENT_DIR || join(env.HOME ?? "/", ".pi", "agent");
  try {
    const text = readForeignSync(join(folder, "settings.json"), { maxBytes: 1024 * 1024, followLinks: true });
    const { team } = JSON.parse(text?.toString("utf8") ?? "{}") as {
      team?: Partial<TeamSettings>;
    };
    const list = (value: unknown, otherwise: readonly string[]) =>
      Array.isArray(value) && value.every((one) => typeof one === "string") ? value : otherwise;
    const cmd = list(team?.cmd, defaults.cmd);
    return { env: list(team?.env, defaults.env), cmd: cmd.length > 0 ? cmd : defaults.cmd };
  } catch {
    return defaults;
  }
}

/** The environment of the tmux server and its clients: PATH and HOME. */
export function smallEnvironment(env: Environment): Readonly<Record<string, string>> {
  return { PATH: env.PATH ?? "/usr/bin:/bin", HOME: env.HOME ?? "/" };
}

/** The environment of a new worker: the small one plus what the settings allow. */
export function workerEnvironment(env: Environment, allowed: readonly string[]): Readonly<Record<string, string>> {
  const passed = allowed
    .filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !withheld.has(name))
    .flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(passed), ...smallEnvironment(env) };
}
