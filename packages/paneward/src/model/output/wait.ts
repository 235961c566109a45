import type { Condition, End, Question, Status, Waited } from "@paneward/sdk";

/** What is known of one terminal at the moment of asking. */
export interface Observed {
  readonly id: string;
  readonly status: Status;
  readonly end: End | undefined;
  readonly question?: Question;
}

/** Which of the conditions is true now, if any. An end answers every wait: an ended program never becomes idle. */
export function satisfied(observed: Observed, conditions: readonly Condition[]): Waited | undefined {
  const { id, status, end } = observed;
  if (end) return ended(id, end);
  if (status === "Completed" && conditions.some(({ kind }) => kind === "exited" || kind === "idle"))
    return { kind: "ended", id };
  if (status === "Idle" && conditions.some(({ kind }) => kind === "idle")) return { kind: "idle", id };
  if (status === "Waiting" && conditions.some(({ kind }) => kind === "needs_input")) {
    return { kind: "needs_input", id, ...(observed.question === undefined ? {} : { question: observed.question }) };
  }
  return undefined;
}

/** Looks for the first line that matches in text that comes piece by piece. */
export class LineSearch {
  readonly #patterns: readonly RegExp[];
  #found: string | undefined;
  #rest: string;

  /** `rest` is the unfinished line at which an earlier search ended. */
  constructor(patterns: readonly RegExp[], rest = "") {
    this.#patterns = patterns;
    this.#rest = rest;
  }

  write(text: string): void {
    const [first = "", ...more] = text.split("\n");
    this.#rest = (this.#rest + first).slice(0, maxLine);
    for (const line of more) {
      this.#found ??= this.#matching(this.#rest);
      this.#rest = line.slice(0, maxLine);
    }
  }

  /** The first whole line that matches. */
  get found(): string | undefined {
    return this.#found;
  }

  /** The line that matches; the last one need not be whole yet. */
  get match(): string | undefined {
    return this.#found ?? this.#matching(this.#rest);
  }

  get rest(): string {
    return this.#rest;
  }

  #matching(line: string): string | undefined {
    return this.#patterns.some((pattern) => pattern.test(line)) ? line : undefined;
  }
}

const maxLine = 4_096;

function ended(id: string, end: End): Waited {
  switch (end.kind) {
    case "exited":
      return { kind: "exited", id, code: end.code };
    case "killed":
      return { kind: "killed", id, signal: end.signal };
    case "stopped":
      return { kind: "stopped", id, by: end.by };
    case "lost":
      return { kind: "lost", id, reason: end.reason };
    case "unknown":
      return { kind: "ended", id };
  }
}
