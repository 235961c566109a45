import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk";
import { newOutput } from "../runtime/workspace-output.ts";
import type { WorkspacePane } from "../runtime/workspaces-port.ts";
import { outputBell } from "./output-bell.ts";
import { Refusal } from "./result.ts";
import { paneAt, type Work } from "./work.ts";

type Params = ParametersOf<(typeof capabilityActions)["wait"]>;
type Reason = "pattern" | "idle" | "exited" | "timeout";

/**
 * Waits for a text, for silence, or for the end of the running command, whatever comes first. Woken by output: the
 * shell's prompt is how a command's end shows. A shell without a prompt is looked at now and then.
 */
export async function wait(work: Work, params: Params): Promise<object> {
  const { rt, workspaces, spec, caller } = work;
  const pane = await paneAt(work, params.pane);
  const search = await searchIn(work, pane, params);
  const sentAt = Date.parse((await workspaces.noted(spec, pane, "command_at")) ?? "") || 0;
  const began = rt.clock.now();
  const deadline = began + params.timeout * 1_000;
  const bell = outputBell(rt, pane, caller.signal);
  try {
    for (let lookAt = sentAt + settleMs; ; ) {
      const rung = bell.next();
      const now = rt.clock.now();
      const idleAt = params.idle === undefined ? never : bell.lastRing(began) + params.idle * 1_000;
      const ended = now >= lookAt && (await hasEnded(work, pane));
      const match = await search();
      const reason = reasonFor({ match, ended, idle: now >= idleAt, late: now >= deadline || caller.signal?.aborted });
      if (reason) return await answer(work, pane, reason, match, rt.clock.now() - began);
      if (now >= lookAt) lookAt = now + lookSeldomMs;
      const hasRung = await bell.orAfter(rung, Math.min(lookAt, idleAt, deadline) - now);
      if (hasRung) lookAt = rt.clock.now() + settleMs;
    }
  } finally {
    bell.stop();
  }
}

async function answer(work: Work, pane: WorkspacePane, reason: Reason, match: string | undefined, waitedMs: number) {
  const running = (await work.workspaces.running(work.spec, [pane])).get(pane.address)?.command ?? "";
  const more = reason === "pattern" ? { match } : reason === "exited" ? endOf(pane) : {};
  return { pane: pane.address, reason, ...more, running, waited_seconds: waitedMs / 1_000 };
}

/** What a command printed last still counts when it has ended. */
function reasonFor(seen: {
  readonly match: string | undefined;
  readonly ended: boolean;
  readonly idle: boolean;
  readonly late: boolean | undefined;
}): Reason | undefined {
  if (seen.match !== undefined) return "pattern";
  if (seen.ended) return "exited";
  if (seen.idle) return "idle";
  return seen.late ? "timeout" : undefined;
}

const never = Number.POSITIVE_INFINITY;
// Between Enter and the start of a program the shell is in the foreground, as it is after the program's end.
const settleMs = 400;
const lookSeldomMs = 2_000;

async function hasEnded({ workspaces, spec }: Work, pane: WorkspacePane): Promise<boolean> {
  return pane.end !== undefined || ((await workspaces.running(spec, [pane])).get(pane.address)?.idle ?? true);
}

function endOf({ end }: WorkspacePane): object {
  return end?.kind === "exited" ? { exit_code: end.code } : {};
}

// Only what came after the last command was sent: its own echo is not meant.
async function searchIn({ rt, workspaces, spec }: Work, pane: WorkspacePane, { pattern }: Params) {
  if (pattern === undefined) return async () => undefined;
  const wanted = patternOf(pattern);
  let cursor = (await workspaces.noted(spec, pane, "command_cursor")) ?? "";
  let before = "";
  return async (): Promise<string | undefined> => {
    for (;;) {
      const { text, cursor: next, hasMore } = await newOutput(rt, spec.host, pane.journal, cursor, 1_000);
      const searched = before + text;
      const match = wanted.exec(searched)?.[0];
      if (match !== undefined) return match;
      before = lastLines(searched);
      cursor = next;
      if (!hasMore) return undefined;
    }
  };
}

// A match may begin in what an earlier look has seen.
function lastLines(text: string): string {
  if (text.length <= lookBack) return text;
  const line = text.indexOf("\n", text.length - lookBack);
  return text.slice(line < 0 ? -lookBack : line + 1);
}

const lookBack = 20_000;

function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "mu");
  } catch (cause) {
    const call = callText("wait", { pattern: pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").slice(0, 200) });
    throw new Refusal(`'pattern' is not a regular expression: ${(cause as Error).message}`, call);
  }
}
