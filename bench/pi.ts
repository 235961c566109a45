import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { piFolder } from "./pi-folder.ts";
import { atMost, type Result } from "./result.ts";

const seconds = 20;
const tasks = 5;
const session = "pi-bench-0198a1b2-0000-7000-8000-000000000001";

/** Cost of the pi extension while its tasks run silently, and without any task. */
export async function piIdle(): Promise<Result> {
  const { folder, end } = piFolder();
  try {
    const env = { ...withCountedTmux(folder), TMUX_TMPDIR: folder, PI_TMUX_SESSION: session };
    spawnSync("tmux", ["-f", "/dev/null", "new-session", "-d", "-s", "mine", "sleep", "1000000"], { env });
    const none = await watched(folder, env);
    const helper = join(import.meta.dirname, "../packages/pi/skills/tmux-task-manager/tmux-task-run.sh");
    for (let at = 0; at < tasks; at++) spawnSync(helper, [`task${at}`, "--", "sleep 1000000"], { env });
    const some = await watched(folder, env);
    return {
      rows: [
        { question: "pi extension, no task, tmux processes", unit: "/min", ours: none.forks },
        { question: `pi extension, ${tasks} quiet tasks, tmux processes`, unit: "/min", ours: some.forks },
        {
          question: `pi extension, ${tasks} quiet tasks, processor`,
          unit: "%",
          ours: some.percent,
          note: "its tmux processes included",
        },
      ],
      targets: [
        atMost("pi extension without a task, processes a minute", none.forks, 0, ""),
        atMost(`pi extension with ${tasks} tasks, processes a minute`, some.forks, 31, ""),
        atMost(`pi extension with ${tasks} tasks, of one core`, some.percent, 2, " %"),
      ],
    };
  } finally {
    end();
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A `tmux` first on PATH that records each call and execs the real one. */
function withCountedTmux(folder: string): Environment {
  const real = spawnSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).stdout.trim();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\necho >>${join(folder, "calls")}\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, "tmux"), script, { mode: 0o755 });
  const { TMUX: _, ...env } = process.env;
  return { ...env, PATH: `${bin}:${env.PATH}`, PI_CODING_AGENT_DIR: join(folder, "agent") };
}

async function watched(
  folder: string,
  env: Environment,
): Promise<{ readonly forks: number; readonly percent: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "pi-watching.ts"), session], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = () => new Promise<string>((resolve) => child.stdout.once("data", (chunk) => resolve(String(chunk))));
  await line();
  // By then the waiting shell waits.
  await delay(2_500);
  const ask = async () => {
    const answer = line();
    child.stdin.write("\n");
    return Number(await answer);
  };
  writeFileSync(join(folder, "calls"), "");
  const before = await ask();
  const began = performance.now();
  await delay(seconds * 1_000);
  const passed = performance.now() - began;
  const used = (await ask()) - before;
  const forks = readFileSync(join(folder, "calls"), "utf8").length;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  await gone;
  return { forks: (forks * 60_000) / passed, percent: (used / passed) * 100 };
}
