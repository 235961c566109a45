import type { Question, Status } from "@paneward/sdk";
import type { Evidence } from "../../model/attention/evidence.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { steadyTime, type Times } from "../steady-time.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

/**
 * What was known of a terminal before the daemon was away, as evidence: an open question stands until a look says that
 * it is gone, and a hook's word counts as it would have.
 */
export function restoredEvidence(
  clock: Times,
  question: Question | undefined,
  agent: AgentRecord | undefined,
  told: TerminalRecord["told"],
): readonly Evidence<IdentifiedQuestion>[] {
  return evidenceThen(question, agent, told).map((one) => ({ ...one, at: steadyTime(clock, one.at) }));
}

function evidenceThen(
  question: Question | undefined,
  agent: AgentRecord | undefined,
  told: TerminalRecord["told"],
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
  const words = wordThen(told);
  if (agent?.hookedAt === undefined) return words;
  const says = agent.state === "commanded" || agent.state === "processing" ? "working" : "idle";
  const hook = { says, at: agent.stateSince, rule: "what its hooks told before the daemon started" } as const;
  return [{ witness: "hook", ...hook }, ...words.filter(({ witness }) => witness !== "hook")];
}

/** The word by which its status was told last. What follows from output and from the clock follows anew. */
function wordThen(told: TerminalRecord["told"]): readonly Evidence<IdentifiedQuestion>[] {
  const witness = kept.find((one) => one === told?.why.source);
  const says = told && saysThen[told.status];
  if (!told || !witness || !says) return [];
  const { rule, since, detail } = told.why;
  return [{ witness, says, at: since, rule, ...(detail === undefined || detail === "stuck" ? {} : { detail }) }];
}

const kept = ["hook", "event_stream", "extension", "state_file", "screen", "title", "osc", "bell"] as const;
const saysThen: Readonly<Partial<Record<Status, Evidence["says"]>>> = {
  Running: "working",
  Idle: "idle",
  Waiting: "needs_input",
};

// Who can take the word back is asked again; a hook's counts as it would have.
function witnessOf({ screenHash, source }: Question): Evidence["witness"] {
  if (screenHash !== "") return "screen";
  return source === "osc" || source === "title" || source === "state_file" ? source : "hook";
}

function rule({ source }: Question): string {
  return `a question that ${source} told before the daemon started`;
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
