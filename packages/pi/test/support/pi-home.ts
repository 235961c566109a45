import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const repository = join(import.meta.dirname, "../../../..");
export const piProgram = join(repository, "node_modules/.agents/pi/node_modules/.bin/pi");

/** A home for real pi: settings without prompts, a scripted model, a project, and a private tmux. */
export interface PiHome {
  readonly folder: string;
  readonly agentFolder: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Plain tmux, as a program in this home would call it. */
  readonly tmux: (...args: readonly string[]) => string;
  readonly remove: () => void;
}

export function makePiHome(modelPort: number, more: Readonly<Record<string, string>> = {}): PiHome {
  const project = "my.project";
  const folder = mkdtempSync(join(tmpdir(), "pw-pi-"));
  const agentFolder = join(folder, ".pi", "agent");
  for (const path of [agentFolder, join(folder, project), join(folder, "t")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(agentFolder, "models.json"), JSON.stringify(models(modelPort)));
  writeFileSync(join(agentFolder, "settings.json"), JSON.stringify(settings));
  const env = {
    // pi is a script for the first Node on PATH, which must be the project's own.
    PATH: `${dirname(process.execPath)}:${dirname(piProgram)}:${process.env.PATH}`,
    HOME: folder,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PI_CODING_AGENT_DIR: agentFolder,
    PI_OFFLINE: "1",
    TMUX_TMPDIR: join(folder, "t"),
    ...more,
  };
  const tmux = (...args: readonly string[]) => {
    const { stdout } = spawnSync("tmux", ["-f", "/dev/null", ...args], { env, encoding: "utf8" });
    return stdout;
  };
  return {
    folder,
    agentFolder,
    project: join(folder, project),
    env,
    tmux,
    remove: () => {
      tmux("-L", "terminals", "kill-server");
      tmux("kill-server");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

const settings = {
  defaultProvider: "scripted",
  defaultModel: "scripted",
  defaultThinkingLevel: "off",
  defaultProjectTrust: "always",
  enableInstallTelemetry: false,
  quietStartup: true,
  retry: { enabled: false },
};

function models(port: number): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = { id: "scripted", reasoning: false, input: ["text"], contextWindow: 128_000, maxTokens: 4_096, cost };
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return { providers: { scripted: { baseUrl, api: "openai-completions", apiKey: "none", models: [model] } } };
}
