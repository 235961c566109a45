import type { Parsed, Question, Waited } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { askedWords, doubtWords, proposalText, reportedWords } from "@paneward/sdk/view";
import { z } from "zod";
import { idOrNumber } from "./input.ts";
import { withProgressReports } from "./report-progress.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const fields = operations.wait.input.shape;

/** Waits as long as clients allow a call to last, then returns a resume token. */
export const waitTool: Tool = tool({
  name: "terminal_wait",
  operations: ["wait"],
  kind: "looks",
  description:
    "Wait instead of polling: returns as soon as a condition holds, at once if it already does. A timeout returns a resume token; pass it to miss nothing.",
  input: z.object({
    ids: z.array(idOrNumber(fields.ids.element)).min(1).max(1_000).describe("Terminals or tasks"),
    for: fields.for.describe("Any one of these; pattern: a regular expression on output"),
    mode: fields.mode.describe("One of the ids or all of them"),
    timeout: fields.timeout.unwrap().default(25).describe("Seconds; clients give up after 30"),
    resume: fields.resume,
  }),
  output: z.object({ results: z.array(z.looseObject({ kind: z.string() })) }),
  example: { ids: ["t1"], for: [{ kind: "exited" }, { kind: "output", pattern: "listening on" }], mode: "any" },
  async run(input, call) {
    const what = `waiting for ${input.ids.join(", ")}`;
    const { results } = await withProgressReports(call, what, input.timeout, () => call.client.wait(input, call));
    return { data: { results }, text: results.map(textOf).join("\n"), next: nextOf(input, results) };
  },
});

function textOf(result: Waited): string {
  switch (result.kind) {
    case "exited":
      return `${result.id} exited with code ${result.code}.`;
    case "killed":
      return `${result.id} was killed by signal ${result.signal}.`;
    case "stopped":
      return `${result.id} was stopped by ${result.by}.`;
    case "lost":
      return `${result.id} was lost: ${result.reason}.`;
    case "ended":
      return `${result.id} ended, exit status unknown.`;
    case "needs_input":
      return result.question === undefined ? `${result.id} needs input.` : questionText(result.id, result.question);
    case "idle":
      return `${result.id} is idle.`;
    case "output":
      return `${result.id} printed: ${result.match}`;
    case "timed_out":
      return "Timed out; nothing was missed.";
  }
}

/** The question, its options and how to answer. Suggests no particular option. */
function questionText(id: string, asked: Question): string {
  const { id: question, kind, options, freeText, proposal } = asked;
  const wants = [proposal?.tool ?? "", proposalText(proposal)].filter((one) => one !== "").join(": ");
  const choices = options.map(({ number, label }) => `  ${number} ${label}`);
  const call = callOf("agent_respond", { id, question }).replace(/}$/, "");
  const ways = [
    ...(options.length > 0 ? ['"option":NUMBER'] : []),
    ...(freeText ? ['"text":"…"'] : []),
    ...(kind === "permission" ? ['"deny":"…"'] : []),
  ];
  const how = ways.length === 0 ? [] : [`Answer: ${ways.map((way) => `${call},${way}}`).join(" or ")}`];
  const doubt = doubtWords(asked);
  const doubts = doubt === undefined ? [] : [`  ${doubt}: only a person can allow it; you may deny it`];
  const own = reportedWords(asked);
  const wanted = [...(wants === "" ? [] : [`  it wants ${wants}`]), ...(own === undefined ? [] : [`  ${own}`])];
  return [`${id} asks: ${askedWords(asked)}`, ...wanted, ...doubts, ...choices, ...how].join("\n");
}

function nextOf(input: Parsed<"wait">, results: readonly Waited[]): string | undefined {
  const late = results.find((result) => result.kind === "timed_out");
  if (late) return callOf("terminal_wait", { ...input, resume: late.resume });
  const [first] = results;
  if (!first || !("id" in first)) return undefined;
  return first.kind === "needs_input" || first.kind === "idle"
    ? callOf("terminal_screen", { id: first.id })
    : callOf("terminal_read", { id: first.id, lines: 50 });
}
