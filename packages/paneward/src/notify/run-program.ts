import { spawn } from "node:child_process";
import type { Ran } from "./channel.ts";

/** Runs a program without a shell, and ends it when it takes too long. */
export function runProgram(
  argv: readonly string[],
  { input = "", limitMs }: { readonly input?: string; readonly limitMs: number },
): Promise<Ran> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve({ kind: "silent" });
    }, limitMs);
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (piece: string) => {
        if (texts[name].length < maxText) texts[name] += piece;
      });
    }
    // A program that does not read its input is not wrong.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", ({ message }) => {
      clearTimeout(timer);
      resolve({ kind: "missing", reason: message });
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({
        kind: "ended",
        code: code ?? 128,
        ...texts,
        ...(signal === null ? {} : { stderr: `${signal} ${texts.stderr}` }),
      });
    });
  });
}

const maxText = 65_536;
