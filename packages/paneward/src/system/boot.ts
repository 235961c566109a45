import { readFileSync } from "node:fs";

/** Identifies the time since this machine was started; undefined without /proc (macOS). A container has its host's. */
export function bootId(path = "/proc/sys/kernel/random/boot_id"): string | undefined {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return undefined;
  }
}
