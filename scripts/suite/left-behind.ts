import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The processes that name `folder` in their arguments or their environment when all tests are done, except our own children.
 * Those that are just ending get a moment. Without /proc nothing can be seen.
 */
export async function leftBehind(folder: string, patienceMs = 5_000): Promise<readonly string[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = processes().filter(({ parent, words }) => parent !== process.pid && words.includes(folder));
    if (found.length === 0 || performance.now() > until) return found.map(shown);
    await delay(100);
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Arguments, then environment. */
  readonly words: string;
}

function processes(): readonly Process[] {
  const numbers = entries("/proc").map(Number);
  return numbers
    .filter((pid) => pid > 0 && pid !== process.pid)
    .map((pid) => ({
      pid,
      parent: Number(/\) \S (\d+) [^)]*$/.exec(text(`/proc/${pid}/stat`))?.[1]),
      words: `${text(`/proc/${pid}/cmdline`)}\0${text(`/proc/${pid}/environ`)}`,
    }));
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// It may have ended, or belong to another user.
function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function shown({ pid, words }: Process): string {
  return `${pid} ${words.replaceAll("\0", " ").slice(0, 200)}`;
}
