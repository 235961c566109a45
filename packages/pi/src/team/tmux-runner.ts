import { spawn } from "node:child_process";
import { ToolFailure } from "./failure.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs tmux by argv, without a shell and with exactly this environment. Tests replace it. */
export type TmuxRunner = (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
) => Promise<Ran>;

const timeoutMs = 10_000;

export const runTmux: TmuxRunner = (argv, env, input) =>
  new Promise((resolve, reject) => {
    const child = spawn("tmux", argv, { env, stdio: "pipe", timeout: timeoutMs });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        texts[name] += chunk;
      });
    }
    child.on("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT";
      const message = missing ? "tmux is not installed or not on PATH" : error.message;
      reject(new ToolFailure(missing ? "tmux_not_installed" : "tmux_failed", message, { command: ["tmux", ...argv] }));
    });
    child.on("close", (code) => resolve({ code: code ?? 1, ...texts }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
