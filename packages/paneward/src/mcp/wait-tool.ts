import type { Input, Waited } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { orNumber } from "./input.ts";
import { callOf, type Tool, type ToolCall, tool } from "./tool.ts";

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
    const { results } = await whileTelling(asked, call);
    return { data: { results }, text: results.map(wordsOf).join("\n"), next: nextOf(asked, results) };
  },
});

const tellEveryMs = 2_000;

/** A client that hears of progress keeps waiting; it is told at once and every two seconds. */
async function whileTelling(asked: Input<"wait"> & { readonly timeout: number }, call: ToolCall) {
  const { client, signal, progress } = call;
  const began = performance.now();
  const tell = () => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    progress?.(seconds, asked.timeout, `waiting for ${asked.ids.join(", ")} since ${seconds} s`);
  };
  tell();
  const timer = progress && setInterval(tell, tellEveryMs);
  try {
    return await client.wait(asked, { signal });
  } finally {
    clearInterval(timer);
  }
}

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
      return `${result.id} needs input. Look at its screen, then answer with terminal_send.`;
    case "idle":
      return `${result.id} is idle.`;
    case "output":
      return `${result.id} printed: ${result.match}`;
    case "timed_out":
      return "The time is over; nothing was missed.";
  }
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
