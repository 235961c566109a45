import type { Question, Status } from "@paneward/sdk";
import type { Evidence } from "../../model/attention/evidence.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { steadyTime, type Times } from "../steady-time.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

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
      },
    ];
  }
  const reports = reportThen(lastReported);
  if (agent?.hookedAt === undefined) return reports;
  const says = agent.state === "commanded" || agent.state === "processing" ? "working" : "idle";
  const hook = { says, at: agent.stateSince, rule: "what its hooks reported before the daemon started" } as const;
  return [{ witness: "hook", ...hook }, ...reports.filter(({ witness }) => witness !== "hook")];
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
  return `a question that ${source} reported before the daemon started`;
}

function seenThen({ kind, text, options, freeText, proposal, request, screenHash }: Question): IdentifiedQuestion {
  return {
    kind,
    text,
    options,
    freeText,
    region: "",
    hash: screenHash,
    ...(proposal === undefined ? {} : { proposal }),
    ...(request === undefined ? {} : { request }),
  };
}
