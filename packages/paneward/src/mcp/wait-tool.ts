import type { Input, Question, Waited } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { orNumber } from "./input.ts";
import { whileTelling } from "./telling.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { input } = operations.wait;

/** Waits as long as clients let a call last, and hands out a token to go on with. */
export const waitTool: Tool = tool({
  name: "terminal_wait",
  operations: ["wait"],
  kind: "looks",
  description:
    "Be told instead of asking again: answers the moment it is true, at once if it already is. After the timeout it answers timed_out with a resume token; pass it to go on without missing anything.",
  input: z.object({
    ids: z.array(orNumber(input.shape.ids.element)).min(1).describe("Terminals or tasks"),
    for: input.shape.for.describe("Any one of these; pattern is a regular expression on the output"),
    mode: input.shape.mode.describe("One of the ids or all of them"),
    timeout: input.shape.timeout.unwrap().default(25).describe("Seconds; clients often give up after 30"),
    resume: input.shape.resume,
  }),
  output: z.object({ results: z.array(z.looseObject({ kind: z.string() })) }),
  example: { ids: ["t1"], for: [{ kind: "exited" }, { kind: "output", pattern: "listening on" }], mode: "any" },
  async run({ resume, ...rest }, call) {
    const asked = { ...rest, ...(resume === undefined ? {} : { resume }) };
    const what = `waiting for ${asked.ids.join(", ")}`;
    const { results } = await whileTelling(call, what, asked.timeout, () => call.client.wait(asked, call));
    return { data: { results }, text: results.map(wordsOf).join("\n"), next: nextOf(asked, results) };
  },
});

function wordsOf(result: Waited): string {
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
      return `${result.id} ended, and nobody knows how.`;
    case "needs_input":
      return result.question === undefined ? `${result.id} needs input.` : asking(result.id, result.question);
    case "idle":
      return `${result.id} is idle.`;
    case "output":
      return `${result.id} printed: ${result.match}`;
    case "timed_out":
      return "The time is over; nothing was missed.";
  }
}

/** The question with its options, and how it is answered. Which option is taken is not suggested. */
function asking(id: string, { id: question, text, options, freeText, proposal }: Question): string {
  const wants = [proposal?.tool, proposal?.command ?? proposal?.path].filter((one) => one !== undefined).join(": ");
  const choices = options.map(({ number, label }) => `  ${number} ${label}`);
  const call = callOf("agent_respond", { id, question }).replace(/}$/, "");
  const ways = [...(options.length > 0 ? ['"option":NUMBER'] : []), ...(freeText ? ['"text":"…"'] : [])];
  const how = ways.length === 0 ? [] : [`Answer: ${ways.map((way) => `${call},${way}}`).join(" or ")}`];
  return [`${id} asks: ${text}`, ...(wants === "" ? [] : [`  it wants ${wants}`]), ...choices, ...how].join("\n");
}

function nextOf(asked: Input<"wait">, results: readonly Waited[]): string | undefined {
  const late = results.find((result) => result.kind === "timed_out");
  if (late) return callOf("terminal_wait", { ...asked, resume: late.resume });
  const [first] = results;
  if (!first || !("id" in first)) return undefined;
  return first.kind === "needs_input" || first.kind === "idle"
    ? callOf("terminal_screen", { id: first.id })
    : callOf("terminal_read", { id: first.id, lines: 50 });
}
