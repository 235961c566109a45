import { readFileSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** `team` in pi's settings.json. */
export interface TeamSettings {
  /** Variables that a worker gets beside PATH and HOME. */
  readonly env: readonly string[];
  /** The program of a worker. */
  readonly cmd: readonly string[];
}

const defaults: TeamSettings = {
  env: [
    "PI_CODING_AGENT_DIR",
    "PI_OFFLINE",
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

/** Never handed on: a worker has a token for its team from the team's runtime.json. */
const kept: ReadonlySet<string> = new Set(["PI_TEAMD_URL", "PI_TEAMD_TOKEN", "PI_TEAMD_TOKEN_FILE"]);

export function readSettings(env: Environment): TeamSettings {
  const folder = env.PI_CODING_AGENT_DIR || join(env.HOME ?? "/", ".pi", "agent");
  try {
    const { team } = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8")) as {
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

/** The environment of the tmux server and of whoever asks it: PATH and HOME. */
export function smallEnvironment(env: Environment): Readonly<Record<string, string>> {
  return { PATH: env.PATH ?? "/usr/bin:/bin", HOME: env.HOME ?? "/" };
}

/** The small environment and what the settings allow, for a new worker. */
export function workerEnvironment(env: Environment, allowed: readonly string[]): Readonly<Record<string, string>> {
  const passed = allowed
    .filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !kept.has(name))
    .flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(passed), ...smallEnvironment(env) };
}
