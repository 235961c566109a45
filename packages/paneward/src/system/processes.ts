import { readdirSync, readFileSync } from "node:fs";

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

/**
 * The processes of a session that have a terminal's variable. Both together name one program: another daemon's terminal may
 * have the same id, and a process that is new may have the wrapper's number. Empty without /proc (macOS).
 */
export function leftOf(terminal: string, session: number, proc = "/proc"): readonly number[] {
  const mine = `PANEWARD_TERMINAL=${terminal}`;
  const isLeft = (pid: string) => {
    const stat = textOf(`${proc}/${pid}/stat`);
    const [state, , , own] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (state === "Z" || Number(own) !== session) return false;
    return textOf(`${proc}/${pid}/environ`)?.split("\0").includes(mine) === true;
  };
  return namesIn(proc)
    .filter((name) => /^\d+$/.test(name) && isLeft(name))
    .map(Number);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function childrenOf(path: string): readonly number[] | undefined {
  try {
    return readFileSync(path, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return undefined;
  }
}

const maxProcesses = 500;
