import { readFileSync } from "node:fs";

/** The process that sends a daemon's notices. */
export function senderOf(daemon: number): number | undefined {
  const children = readFileSync(`/proc/${daemon}/task/${daemon}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children.map(Number).find((pid) => commandOf(pid).includes("sender-main"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It ended just now.
    return "";
  }
}
