import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import { judge } from "../../model/attention/judge.ts";
import { askedBy } from "./asked-question.ts";
import { type IdentifiedQuestion, withHash } from "./question-identity.ts";

const options = [{ number: 1, label: "Allow once" }];
const asks = (proposal: Proposal, more: Partial<ShownQuestion>): IdentifiedQuestion =>
  withHash({
    kind: "permission",
    text: "Permission required",
    options,
    freeText: false,
    proposal,
    region: "",
    ...more,
  });
const drawn = (command: string) => asks({ tool: "bash", command }, { region: `Permission required $ ${command}` });
const request = (id: string, command: string) => asks({ tool: "bash", command }, { request: id });

const event = (at: number, question: IdentifiedQuestion): Evidence<IdentifiedQuestion> => ({
  ...{ witness: "event_stream", says: "needs_input", rule: "permission.asked", at, question },
});
const file = (at: number): Evidence<IdentifiedQuestion> => ({
  witness: "state_file",
  says: "needs_input",
  rule: "it waits",
  at,
});
const screen = (at: number, seenAt: number, question: IdentifiedQuestion): Evidence<IdentifiedQuestion> => ({
  ...{ witness: "screen", says: "needs_input", rule: "a permission dialog is open", at, seenAt, question },
});

function asked(now: number, ...evidence: readonly Evidence<IdentifiedQuestion>[]) {
  const { question, waitUntil } = askedBy(judge(evidence, now), evidence, now, true);
  return question
    ? `${question.request ?? "-"} ${question.proposal?.command} ${question.hash === "" ? "reported" : "drawn"}`
    : waitUntil;
}

for (const [name, found, expected] of [
  ["a report waits a moment for its dialog", asked(100, event(100, request("p1", "ls"))), 500],
  ["and then no longer", asked(500, event(100, request("p1", "ls"))), "p1 ls reported"],
  [
    "reported and drawn are one question",
    asked(300, event(100, request("p1", "ls")), screen(200, 300, drawn("ls"))),
    "p1 ls drawn",
  ],
  [
    "drawn first, reported later, too",
    asked(300, event(250, request("p1", "ls")), screen(200, 200, drawn("ls"))),
    "p1 ls drawn",
  ],
  [
    "the dialog before the last look is not the new request",
    asked(300, event(300, request("p2", "rm x")), screen(200, 290, drawn("ls"))),
    700,
  ],
  [
    "a look that shows another dialog is believed",
    asked(900, event(300, request("p2", "rm x")), screen(400, 800, drawn("ls"))),
    "- ls drawn",
  ],
  [
    "the dialog before is not what a file reports that it waits for",
    asked(300, file(300), screen(100, 200, drawn("ls"))),
    1_300,
  ],
  ["but one that is looked at since is", asked(400, file(300), screen(100, 350, drawn("rm x"))), "- rm x drawn"],
  ["drawn alone", asked(900, screen(400, 800, drawn("ls"))), "- ls drawn"],
] as const) {
  test(`a question: ${name}`, () => assert.equal(found, expected));
}
