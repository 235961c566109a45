import { readFileSync } from "node:fs";

/** A process and its descendants, itself first, at most `maxProcesses`. Empty without /proc (macOS). */
export function processTree(pid: number, proc = "/proc"): readonly number[] {
  const seen = new Set<number>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined && seen.size < maxProcesses; next = open.pop()) {
    if (seen.has(next)) continue;
    const children = childrenOf(`${proc}/${next}/task/${next}/children`);
    if (!children) continue;
    seen.add(next);
    open.push(...children);
  }
  return [...seen];
}

function childrenOf(path: string): readonly number[] | undefined {
  try {
    return readFileSync(path, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return undefined;
  }
}

const maxProcesses = 500;
