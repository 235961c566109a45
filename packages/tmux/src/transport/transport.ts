import type { Sequence } from "../protocol/quote.ts";
import type { Host } from "./host.ts";

export interface RunOptions {
  readonly timeoutMs?: number;
  /** The command only reads, so it may be retried when its answer was lost. */
  readonly readOnly?: boolean;
  /** The answer contains text written by a program in a pane, which may imitate the protocol. One command only. */
  readonly untrusted?: boolean;
  /** For commands that read a file named `-`, such as load-buffer. Always runs as a process of its own. */
  readonly stdin?: string;
}

/** A way to run tmux commands. The output of a sequence is one list of lines. */
export interface Transport {
  readonly kind: "control" | "spawn";
  run(sequence: Sequence, options?: RunOptions): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How long tmux on a host may take to answer. */
export function answerLimitMs({ patienceMs = 5_000 }: Pick<Host, "patienceMs">): number {
  return patienceMs;
}

/** For what starts a process, in tmux or behind a prefix: a busy machine, container or ssh target takes seconds. */
export function startLimitMs(host: Pick<Host, "patienceMs">): number {
  return 3 * answerLimitMs(host);
}
