import type { End, Question, TeamWorker } from "@paneward/sdk";
import { workerWorksMs } from "../timing.ts";

/** A worker, and what was already reported about it to its leader. */
export interface WorkerRecord extends TeamWorker {
  readonly told: {
    /** The id of the last reported question. */
    readonly question?: string;
    readonly silence?: true;
    readonly end?: true;
  };
  /** When the worker last posted to a thread. */
  readonly spokeAt?: number;
}

/** What a worker's terminal shows. */
export type Observation =
  | { readonly kind: "works" }
  | { readonly kind: "asks"; readonly question: Question }
  | { readonly kind: "asks_no_more" }
  /** No output since then, and no question. */
  | { readonly kind: "silent"; readonly since: number; readonly how: Rest }
  | { readonly kind: "ended"; readonly end: End };

/** It waits for input; or nothing that it shows was ever understood; or it claims to work without using any CPU. */
export type Rest = "idle" | "unread" | "stuck";

/** The worker after an observation, and the text for its leader, if there is any. Each fact is reported once. */
export interface News {
  readonly worker: WorkerRecord;
  readonly text?: string;
}

export function newsOf(worker: WorkerRecord, observation: Observation, now: number): News | undefined {
  if (worker.told.end) return undefined;
  switch (observation.kind) {
    case "ended":
      return {
        worker: {
          ...withoutQuestion(worker),
          state: "ended",
          since: now,
          end: observation.end,
          told: { ...worker.told, end: true },
        },
        text: `${worker.session} ${describeEnd(observation.end)}`,
      };
    case "asks":
      return asks(worker, observation.question, now);
    case "asks_no_more":
      return worker.state === "asking"
        ? { worker: { ...withoutQuestion(worker), state: "working", since: now } }
        : undefined;
    case "works":
      return worker.state === "silent" ? { worker: { ...worker, state: "working", since: now } } : undefined;
    case "silent":
      return observation.how === "idle"
        ? silent(worker, observation.since)
        : doubtfulSilence(worker, observation.since, observation.how);
  }
}

function asks(worker: WorkerRecord, question: Question, now: number): News | undefined {
  if (worker.told.question === question.id) return undefined;
  const told = { ...worker.told, question: question.id };
  const options = question.options.map(({ number, label }) => `${number}. ${label}`).join("  ");
  const text = `${worker.session} asks: ${question.text}${options === "" ? "" : `\n${options}`}`;
  return { worker: { ...worker, state: "asking", since: now, question, told }, text };
}

function silent(worker: WorkerRecord, since: number): News | undefined {
  if (worker.state !== "working") return undefined;
  const quiet: WorkerRecord = { ...worker, state: "silent", since, told: { ...worker.told, silence: true } };
  const wasOnlyRedrawn = worker.told.silence === true && since - worker.since < workerWorksMs;
  const hasReported = worker.spokeAt !== undefined && worker.spokeAt >= worker.since;
  if (wasOnlyRedrawn || hasReported) return { worker: quiet };
  return { worker: quiet, text: `${worker.session} has fallen silent: it runs, prints nothing and asks nothing` };
}

// No sign of work was seen, so a later silence is news also if it comes soon after.
function doubtfulSilence(worker: WorkerRecord, since: number, how: "unread" | "stuck"): News | undefined {
  if (worker.state !== "working") return undefined;
  const doubt = how === "stuck" ? "it says that it works but uses no CPU" : "its screen is not understood";
  const text = `${worker.session} has fallen silent: it runs, prints nothing, and ${doubt}`;
  return { worker: { ...worker, state: "silent", since }, text };
}

function withoutQuestion({ question: _question, ...rest }: WorkerRecord): WorkerRecord {
  return rest;
}

function describeEnd(end: End): string {
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
