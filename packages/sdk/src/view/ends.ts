import type { End, Status, Why } from "../shapes.ts";

/** The status after an end, with its reason in the daemon's words. */
export function afterEnd(end: End, at: number): { readonly status: Status; readonly why: Why } {
  switch (end.kind) {
    case "exited":
      return judged("Exited", "exit", `the program exited with code ${end.code}`, at);
    case "killed":
      return judged("Exited", "exit", `the program was killed by signal ${end.signal}`, at);
    case "unknown":
      return judged("Exited", "exit", "the program ended and tmux does not know how", at);
    case "stopped":
      return judged("Stopped", "person", `stopped by ${end.by}`, at);
    case "lost":
      return judged("Lost", "tmux", end.reason, at);
  }
}

export function judged(status: Status, source: string, rule: string, since: number) {
  return { status, why: { source, rule, since } };
}
