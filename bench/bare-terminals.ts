import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { endTmux, undoOnInterrupt } from "./interrupt.ts";
import { timed } from "./measure.ts";

const execute = promisify(execFile);

/** Time of one tmux process that opens so many sessions, each piped into a file, in one command sequence. */
export async function bareTerminals(
  folder: string,
  env: Readonly<Record<string, string>>,
  count: number,
): Promise<number> {
  const socket = join(folder, "tmux.sock");
  const tmux = (...args: readonly string[]) => execute("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env });
  const finished = undoOnInterrupt(() => endTmux(socket));
  try {
    await tmux("new-session", "-d", "-s", "first", "sleep", "1000000");
    const each = (at: number) =>
      `new-session -d -s t${at} -x 200 -y 50 -- sleep 1000000 ; pipe-pane -O -t t${at}: "exec cat >'${join(folder, `out-${at}`)}'"`;
    const file = join(folder, "commands");
    writeFileSync(file, `${Array.from({ length: count }, (_, at) => each(at)).join(" ; ")}\n`);
    const ms = await timed(() => tmux("source-file", file));
    // A pipe's file is there when its program has started: the next round must not begin in the middle of that.
    while (!existsSync(join(folder, `out-${count - 1}`))) await delay(10);
    return ms;
  } finally {
    endTmux(socket);
    finished();
  }
}
