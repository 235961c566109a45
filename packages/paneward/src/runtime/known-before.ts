import type { Question } from "@paneward/sdk";
import type { Evidence } from "../model/attention/evidence.ts";
import type { AgentRecord } from "../model/records.ts";
import type { Seen } from "./witnesses/seen.ts";

/**
 * What was known of a terminal before the daemon was away, as evidence: an open question stands until a look says that
 * it is gone, and a hook's word counts as it would have.
 */
export function knownBefore(question: Question | undefined, agent: AgentRecord | undefined): readonly Evidence<Seen>[] {
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
  if (agent?.hookedAt === undefined) return [];
  const says = agent.state === "commanded" || agent.state === "processing" ? "working" : "idle";
  return [{ witness: "hook", says, at: agent.stateSince, rule: "what its hooks told before the daemon started" }];
}

// Who can take the word back is asked again; a hook's counts as it would have.
function witnessOf({ screenHash, source }: Question): Evidence["witness"] {
  if (screenHash !== "") return "screen";
  return source === "osc" || source === "title" || source === "state_file" ? source : "hook";
}

function rule({ source }: Question): string {
  return `a question that ${source} told before the daemon started`;
}

function seenThen({ kind, text, options, freeText, proposal, request, screenHash }: Question): Seen {
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
