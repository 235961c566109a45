import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run } from "./run.ts";
import type { Step } from "./step.ts";

/** Installs the release as a new user would, in an empty folder, and runs the first commands. */
export function tryOut(name: string, version: string, install: (home: string, env: NodeJS.ProcessEnv) => string): Step {
  const home = mkdtempSync(join(tmpdir(), "paneward-release-"));
  const env = newcomer(home, process.env);
  mkdirSync(join(home, ".config/paneward"), { recursive: true });
  try {
    mustRun(["sh", "-c", "printf '[web]\\nport = 0\\n' > \"$HOME/.config/paneward/config.toml\""], { cwd: home, env });
    const began = performance.now();
    const command = install(home, env);
    const installed = performance.now();
    const version_ = mustRun([command, "--version"], { cwd: home, env }).trim();
    const manual = join(command, "../../share/man/man1/paneward.1");
    const ps = run([command, "ps"], { cwd: home, env });
    const seconds = (from: number) => ((performance.now() - from) / 1_000).toFixed(1);
    const detail = `first \`paneward ps\` ${seconds(began)} s after the line was typed, ${seconds(installed)} s of it after the installation`;
    const faults = [
      ...(version_ === version ? [] : [`--version prints ${version_}`]),
      ...(existsSync(manual) ? [] : ["`man paneward` finds no page"]),
      ...(ps.ok ? [] : [`paneward ps: ${ps.printed}`]),
    ];
    run([command, "daemon", "stop"], { cwd: home, env });
    return { name, faults, detail };
  } catch (error) {
    return { name, faults: [(error as Error).message], detail: "" };
  } finally {
    run(["tmux", "-S", join(home, ".local/run/paneward/tmux.sock"), "kill-server"], { cwd: home, env });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Nothing of what the maintainer set up, apart from how npm and the network are reached. */
export function newcomer(home: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOME = "" } = env;
  const reaching = /^(PATH|npm_config_.*|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => reaching.test(name))),
    HOME: home,
    npm_config_cache: env.npm_config_cache ?? join(HOME, ".npm"),
    npm_config_userconfig: env.npm_config_userconfig ?? join(HOME, ".npmrc"),
  };
}
