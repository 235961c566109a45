import type { End, Question, TeamWorker } from "@paneward/sdk";

/** A worker, and what its leader was already told about it. */
export interface WorkerRecord extends TeamWorker {
  readonly told: {
    /** The question that was told last. */
    readonly question?: string;
    readonly silence?: true;
    readonly end?: true;
  };
  /** When the worker last said something in a thread by itself. */
  readonly spokeAt?: number;
}

/** What was seen of a worker's terminal. */
export type Seen =
  | { readonly kind: "works" }
  | { readonly kind: "asks"; readonly question: Question }
  | { readonly kind: "asks_no_more" }
  /** Nothing moves since then, and nothing is asked. */
  | { readonly kind: "silent"; readonly since: number }
  | { readonly kind: "ended"; readonly end: End };

/** What becomes of the worker, and the words for its leader, if there are any. Each thing is told once. */
export interface News {
  readonly worker: WorkerRecord;
  readonly text?: string;
}

export function newsOf(worker: WorkerRecord, seen: Seen, now: number): News | undefined {
  if (worker.told.end) return undefined;
  switch (seen.kind) {
    case "ended":
      return {
        worker: { ...without(worker), state: "ended", since: now, end: seen.end, told: { ...worker.told, end: true } },
        text: `${worker.session} ${wordsFor(seen.end)}`,
      };
    case "asks":
      return asks(worker, seen.question, now);
    case "asks_no_more":
      return worker.state === "asking" ? { worker: { ...without(worker), state: "working", since: now } } : undefined;
    case "works":
      return worker.state === "silent" ? { worker: { ...worker, state: "working", since: now } } : undefined;
    case "silent":
      return silent(worker, seen.since);
  }
}

function asks(worker: WorkerRecord, question: Question, now: number): News | undefined {
  if (worker.told.question === question.id) return undefined;
  const told = { ...worker.told, question: question.id };
  const options = question.options.map(({ number, label }) => `${number}. ${label}`).join("  ");
  const text = `${worker.session} asks: ${question.text}${options === "" ? "" : `\n${options}`}`;
  return { worker: { ...worker, state: "asking", since: now, question, told }, text };
}

// Somebody who looks at the worker makes its screen be drawn again: that is no work, and its end no news.
const minWorkMs = 5_000;

function silent(worker: WorkerRecord, since: number): News | undefined {
  if (worker.state !== "working") return undefined;
  const quiet: WorkerRecord = { ...worker, state: "silent", since, told: { ...worker.told, silence: true } };
  const wasOnlyDrawn = worker.told.silence === true && since - worker.since < minWorkMs;
  const hasReported = worker.spokeAt !== undefined && worker.spokeAt >= worker.since;
  if (wasOnlyDrawn || hasReported) return { worker: quiet };
  return { worker: quiet, text: `${worker.session} has fallen silent: it runs, prints nothing and asks nothing` };
}

function without({ question: _question, ...rest }: WorkerRecord): WorkerRecord {
  return rest;
}

function wordsFor(end: End): string {
  switch (end.kind) {
    case "exited":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `was killed by signal ${end.signal}`;
    case "stopped":
      return `was stopped by ${end.by}`;
    case "lost":
      return `is lost: ${end.reason}`;
    case "unknown":
      return "ended; how is not known";
  }
}
