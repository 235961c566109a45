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

const hook = (at: number, question: IdentifiedQuestion, others: readonly IdentifiedQuestion[] = []) =>
  ({ ...event(at, question), witness: "hook", others }) as const satisfies Evidence<IdentifiedQuestion>;
const reported = (command: string) => asks({ tool: "Bash", command }, { whole: true, proof: "agent" });
const read = (command: string, more: Partial<ShownQuestion> = {}) =>
  asks({ tool: "Bash", command }, { region: command, whole: true, proof: "screen", ...more });
const partly = (command: string, more: Partial<ShownQuestion> = {}) =>
  asks({ tool: "Bash", command }, { region: command, whole: false, doubt: "cut", ...more });

function known(...evidence: readonly Evidence<IdentifiedQuestion>[]) {
  const { question } = askedBy(judge(evidence, 900), evidence, 900, true);
  return [question?.proposal?.command, question?.proof ?? question?.doubt, question?.reported?.command];
}
const differs = "its screen shows something else than the agent itself reported";

for (const [name, found, expected] of [
  ["read alone", known(screen(400, 800, read("ls"))), ["ls", "screen", undefined]],
  ["shown in part alone", known(screen(400, 800, partly("ls"))), ["ls", "cut", undefined]],
  ["reported and read", known(hook(300, reported("ls")), screen(400, 800, read("ls"))), ["ls", "agent", undefined]],
  [
    "reported whole and shown in part: the agent's own word wins",
    known(hook(300, reported("ls\n\ntouch x")), screen(400, 800, partly("ls", { cut: "end" }))),
    ["ls\n\ntouch x", "agent", undefined],
  ],
  [
    "reported as less than is shown: both are kept",
    known(hook(300, reported("ls")), screen(400, 800, read("ls; rm -rf x"))),
    ["ls; rm -rf x", differs, "ls"],
  ],
  [
    "shown as less than is reported, and not cut: both are kept",
    known(hook(300, reported("ls\n\ntouch x")), screen(400, 800, read("ls"))),
    ["ls", differs, "ls\n\ntouch x"],
  ],
  [
    "reported before another one that is queued behind it",
    known(hook(300, reported("rm x"), [reported("ls")]), screen(400, 800, read("ls"))),
    ["ls", "agent", undefined],
  ],
  [
    "cut, and the beginning of one of two that wait",
    known(hook(300, reported("rm x"), [reported("ls; touch y")]), screen(400, 800, partly("ls", { cut: "end" }))),
    ["ls; touch y", "agent", undefined],
  ],
  [
    "cut, and the beginning of both that wait",
    known(hook(300, reported("ls; rm x"), [reported("ls; touch y")]), screen(400, 800, partly("ls", { cut: "end" }))),
    ["ls", "several requests that wait would look like this", undefined],
  ],
] as const) {
  test(`what a question would do: ${name}`, () => assert.deepEqual(found, expected));
}
