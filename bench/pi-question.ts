import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median, percentile } from "./measure.ts";
import { piFolder } from "./pi-folder.ts";
import { atMost, type Result } from "./result.ts";

const rounds = 40;
const session = "pi-bench-0198a1b2-0000-7000-8000-000000000002";
const program = 'while read -r word; do printf "Continue with %s? [y/N] " "$word"; read -r answer; done';

/** Time from a task's question until pi is told. */
export async function piQuestion(): Promise<Result> {
  const { folder, end } = piFolder();
  try {
    const { TMUX: _, ...around } = process.env;
    const env = {
      ...around,
      TMUX_TMPDIR: folder,
      PI_TMUX_SESSION: session,
      PI_CODING_AGENT_DIR: join(folder, "agent"),
    };
    const tmux = (...args: readonly string[]) => spawnSync("tmux", ["-f", "/dev/null", ...args], { env });
    tmux("new-session", "-d", "-s", "mine", "sleep", "1000000");
    const helper = join(import.meta.dirname, "../packages/pi/skills/tmux-task-manager/tmux-task-run.sh");
    spawnSync(helper, ["asks", "--", program], { env });
    const type = (text: string) => tmux("send-keys", "-t", `=${session}:asks`, "-l", `${text}\r`);
    const child = spawn(process.execPath, [join(import.meta.dirname, "pi-asking.ts"), session], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      type(`round ${round}`);
      const began = performance.now();
      for (let told = ""; !told.includes(`round ${round}?`); ) told = String((await lines.next()).value);
      times.push(performance.now() - began);
      type("y");
    }
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.end();
    await gone;
    const [middle, p95] = [median(times), percentile(times, 95)];
    const question = "a task's question until pi is told";
    return {
      rows: [
        { question: `${question}, median`, unit: "ms", ours: middle, note: `${rounds} times` },
        { question: `${question}, p95`, unit: "ms", ours: p95 },
      ],
      targets: [atMost(`${question}, median`, middle, 500, " ms")],
    };
  } finally {
    end();
  }
}
