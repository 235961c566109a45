import { type Client, type Condition, type Input, PanewardError, type Waited } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { endText } from "../look/status.ts";
import { given } from "../options.ts";

export const waitCommands: readonly Command[] = [
  {
    name: "wait",
    operations: ["wait"],
    summary: "wait until a condition holds; returns at once if it already does",
    details:
      "Several `--for`: the first condition that holds. Several ids: all of them, or with `--any` the first. Any wait returns when the program ends. Exit code 124 on timeout; pass the printed token as `--resume` to continue without missing anything.",
    takes: "<id...>",
    completes: "ids",
    options: [
      ["--for <condition>", "exited, needs_input, idle or output=REGEX; any one of several is enough", "repeated"],
      ["--any", "one id is enough (default: all of them)"],
      ["--timeout <seconds>", "give up after this long, with exit code 124 (default: never)"],
      ["--resume <token>", "continue a wait that timed out"],
    ],
    examples: [
      "paneward wait 12 --for exited",
      "paneward wait 12 13 --any --for needs_input --for exited --timeout 600",
      "paneward wait t3 --for 'output=listening on port \\d+' --json",
    ],
    run: wait,
  },
];

async function wait({ client, args, options, out, progress, connection }: Call): Promise<number> {
  const conditions = options.list("for").map(conditionOf);
  if (conditions.length === 0) {
    throw new PanewardError("bad_input", "--for is missing", { hint: `give --for ${conditionSyntax}` });
  }
  progress.say(`waiting for ${args.join(", ")}: ${options.list("for").join(" or ")}`);
  const mode: "any" | "all" = options.flag("any") ? "any" : "all";
  const input = given({ ids: [...args], mode, for: conditions, resume: options.text("resume") });
  const results = await waitInSlices(client, input, options.number("timeout"), connection.maxWaitSeconds);
  for (const result of results) {
    if (options.flag("json")) out.json(result);
    else if (result.kind === "timed_out") out.note(`paneward: timed out; continue with --resume ${result.resume}`);
    else out.line(textOf(result));
  }
  return results.some(({ kind }) => kind === "timed_out") ? timedOut : 0;
}

const timedOut = 124;
const conditionSyntax = "exited, needs_input, idle or output=REGEX";

function conditionOf(text: string): Condition {
  if (text === "exited" || text === "needs_input" || text === "idle") return { kind: text };
  const [, pattern] = /^output=(.+)$/s.exec(text) ?? [];
  if (pattern !== undefined) return { kind: "output", pattern };
  throw new PanewardError("bad_input", `--for: unknown condition "${text}"`, { hint: `use ${conditionSyntax}` });
}

/** Splits one long wait into shorter requests, linked by resume tokens so that nothing is missed in between. */
async function waitInSlices(
  client: Client,
  input: Input<"wait">,
  seconds: number | undefined,
  maxSeconds: number,
): Promise<readonly Waited[]> {
  const deadline = seconds === undefined ? Number.POSITIVE_INFINITY : process.uptime() + seconds;
  let resume = input.resume;
  for (;;) {
    const left = Math.max(0, deadline - process.uptime());
    const { results } = await client.wait(given({ ...input, resume, timeout: Math.min(left, maxSeconds) }));
    const late = results.find((result) => result.kind === "timed_out");
    if (!late || process.uptime() >= deadline) return results;
    resume = late.resume;
  }
}

function textOf(result: Exclude<Waited, { readonly kind: "timed_out" }>): string {
  switch (result.kind) {
    case "needs_input":
      return `${result.id} needs input`;
    case "idle":
      return `${result.id} is idle`;
    case "output":
      return `${result.id} printed ${result.match}`;
    case "ended":
      return `${result.id} ${endText({ kind: "unknown" })}`;
    default:
      return `${result.id} ${endText(result)}`;
  }
}
