import { readFileSync } from "node:fs";

/** How many files this process may have open; undefined where that is not known. Node takes all that it may have. */
export function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+) /m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
