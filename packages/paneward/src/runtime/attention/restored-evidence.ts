import type { Question, Status } from "@paneward/sdk";
import { isHookRequest } from "../../model/agents/hook-order.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { steadyTime, type Times } from "../steady-time.ts";
import { type IdentifiedQuestion, proofOf } from "./question-identity.ts";

/**
 * What was known of a terminal before the daemon started, as evidence in monotonic time: an open question stays open
 * until a look finds it gone, and a hook's report counts for as long as it would have.
 */
export function restoredEvidence(
  clock: Times,
  question: Question | undefined,
  agent: AgentRecord | undefined,
  lastReported: TerminalRecord["lastReported"],
): readonly Evidence<IdentifiedQuestion>[] {
  if (question && isLeftByItsHook(question)) {
    const rule = `it asked before the daemon started, and its hook has ended: ${question.text}`;
    // From now on: that it waits for something unknown is news.
    return [{ witness: "hook", says: "needs_input", at: clock.monotonic(), rule }];
  }
  return evidenceThen(question, agent, lastReported).map((one) => ({ ...one, at: steadyTime(clock, one.at) }));
}

function evidenceThen(
  question: Question | undefined,
  agent: AgentRecord | undefined,
  lastReported: TerminalRecord["lastReported"],
): readonly Evidence<IdentifiedQuestion>[] {
  if (question) {
    return [
      {
        witness: witnessOf(question),
        says: "needs_input",
        at: question.openedAt,
        rule: rule(question),
        question: seenThen(question),
        ...(question.unverified ? { unverified: true } : {}),
      },
    ];
  }
  const reports = reportThen(lastReported);
  if (agent?.hookedAt === undefined) return reports;
  const says = agent.state === "commanded" || agent.state === "processing" ? "working" : "idle";
  const hook = { says, at: agent.stateSince, rule: "what its hooks reported before the daemon started" } as const;
  return [{ witness: "hook", ...hook }, ...reports.filter(({ witness }) => witness !== "hook")];
}

/**
 * Only a hook knew this question, and the hooks that waited ended with the daemon before: it cannot be answered. What its
 * screen shows becomes a question of its own.
 */
export function isLeftByItsHook({ request, screenHash, state }: Question): boolean {
  return isHookRequest(request) && screenHash === "" && state === "open";
}

/** The evidence behind the status that was reported last. What follows from output and time is judged again. */
function reportThen(last: TerminalRecord["lastReported"]): readonly Evidence<IdentifiedQuestion>[] {
  const witness = kept.find((one) => one === last?.why.source);
  const says = last && saysThen[last.status];
  if (!last || !witness || !says) return [];
  const { rule, since, detail } = last.why;
  return [{ witness, says, at: since, rule, ...(detail === undefined || detail === "stuck" ? {} : { detail }) }];
}

const kept = ["hook", "event_stream", "extension", "state_file", "screen", "title", "osc", "bell"] as const;
const saysThen: Readonly<Partial<Record<Status, Evidence["says"]>>> = {
  Running: "working",
  Idle: "idle",
  Waiting: "needs_input",
};

// A witness that can be looked at is looked at again; a hook's report counts for as long as it would have.
function witnessOf({ screenHash, source }: Question): Evidence["witness"] {
  if (screenHash !== "") return "screen";
  return source === "osc" || source === "title" || source === "state_file" ? source : "hook";
}

function rule({ source }: Question): string {
  if (source === "screen") return "a question seen on the screen before the daemon restarted";
  return `a question reported by ${source} before the daemon restarted`;
}

function seenThen(question: Question): IdentifiedQuestion {
  const { kind, text, options, freeText, unverified, proposal, request, screenHash } = question;
  return {
    kind,
    text,
    options,
    freeText,
    region: "",
    hash: screenHash,
    ...(unverified ? { unverified } : {}),
    ...(proposal === undefined ? {} : { proposal }),
    ...proofOf(question),
    ...(request === undefined ? {} : { request }),
  };
}
