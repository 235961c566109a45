import { readFileSync } from "node:fs";

/**
 * Sees in /proc when the programs below these processes have printed and then rest: without a process of its own, so
 * that it can be asked often. Elsewhere than on Linux it never does.
 */
export class Stir {
  #before = "";
  #reported = "";
  readonly #trace: (pids: readonly number[]) => string;

  constructor(trace = traceOf) {
    this.#trace = trace;
  }

  /** True once after each change, when the last two calls found the same. */
  hasSettled(pids: readonly number[]): boolean {
    const now = this.#trace(pids);
    const settled = now === this.#before && now !== this.#reported;
    this.#before = now;
    if (settled) this.#reported = now;
    return settled;
  }
}

/** A build may have hundreds of processes; those that ask something are few and near the top. */
const maxProcesses = 40;

/** Which processes there are, and how much each has written. Those of another user, such as sudo, say nothing of that. */
function traceOf(pids: readonly number[]): string {
  const found = [...pids];
  for (let at = 0; at < found.length && found.length < maxProcesses; at++) {
    const below = read(`/proc/${found[at]}/task/${found[at]}/children`).split(" ");
    found.push(...below.filter((pid) => pid !== "").map(Number));
  }
  return found
    .slice(0, maxProcesses)
    .map((pid) => `${pid} ${/wchar: (\d+)/.exec(read(`/proc/${pid}/io`))?.[1] ?? ""}`)
    .join("\n");
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
