import { callText, type capabilityActions, PanewardError, type ParametersOf } from "@paneward/sdk";
import { patternFrom, searchInTime } from "../runtime/output/pattern.ts";
import { newOutput } from "../runtime/output/workspace-output.ts";
import type { WorkspacePane } from "../runtime/ports.ts";
import { promptIsBack, withoutEcho } from "./echo.ts";
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
  const { world, workspaces, spec, caller } = work;
  const wanted = params.pattern === undefined ? undefined : patternOf(params.pattern);
  const pane = await paneAt(work, params.pane);
  const sentAt = Date.parse((await workspaces.noted(spec, pane, "command_at")) ?? "") || 0;
  const printed = await printedSince(work, pane);
  const began = world.clock.now();
  const deadline = began + params.timeout * 1_000;
  const bell = outputBell(world, pane, caller.signal);
  try {
    for (let lookAt = sentAt + settleMs; ; ) {
      const rung = bell.next();
      const now = world.clock.now();
      const idleAt = params.idle === undefined ? never : bell.lastRing(began) + params.idle * 1_000;
      const isIdle = now >= lookAt && (await shellIsIdle(work, pane));
      const { text, command, match } = await printed(wanted);
      const quietMs = now - Math.max(sentAt, bell.lastRing(sentAt));
      const isBack = sentAt === 0 || promptIsBack(text, command) || quietMs >= promptlessMs;
      const ended = pane.end !== undefined || (isIdle && isBack);
      const reason = reasonFor({ match, ended, idle: now >= idleAt, late: now >= deadline || caller.signal?.aborted });
      if (reason) return await answer(work, pane, reason, match, world.clock.now() - began);
      if (now >= lookAt) lookAt = now + lookSeldomMs;
      const hasRung = await bell.orAfter(rung, Math.min(lookAt, idleAt, deadline) - now);
      if (hasRung) lookAt = world.clock.now() + settleMs;
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
// A shell in the foreground that shows no prompt: it has none, or it has not read the command yet.
const promptlessMs = 5_000;

async function shellIsIdle({ workspaces, spec }: Work, pane: WorkspacePane): Promise<boolean> {
  return (await workspaces.running(spec, [pane])).get(pane.address)?.idle ?? true;
}

function endOf({ end }: WorkspacePane): object {
  return end?.kind === "exited" ? { exit_code: end.code } : {};
}

/**
 * What was printed since the last command was sent, looked through for a text. Only the last of it is kept, and the
 * command as long as its echo may be in that.
 */
async function printedSince({ world, workspaces, spec }: Work, pane: WorkspacePane) {
  let command = (await workspaces.noted(spec, pane, "command")) ?? "";
  let cursor = (await workspaces.noted(spec, pane, "command_cursor")) ?? "";
  let text = "";
  return async (wanted: RegExp | undefined) => {
    for (;;) {
      const next = await newOutput(world, spec.host, pane, cursor, 1_000);
      cursor = next.cursor;
      text += next.text;
      const match = wanted && searched(wanted, withoutEcho(text, command));
      const kept = lastLines(text);
      if (kept.length < text.length) command = "";
      text = kept;
      if (match !== undefined || !next.hasMore) return { text, command, match };
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
    return patternFrom(pattern, "mu");
  } catch (error) {
    const why = error instanceof PanewardError ? (error.cause as Error).message : String(error);
    throw new Refusal(`'pattern' is not a regular expression: ${why}`, literally(pattern));
  }
}

function searched(wanted: RegExp, text: string): string | undefined {
  try {
    return searchInTime(() => wanted.exec(text)?.[0]);
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    throw new Refusal(`'pattern' is too slow: ${error.message}; ${error.hint}`, literally(wanted.source));
  }
}

/** A call that waits for the pattern's own text: it always works. */
function literally(pattern: string): string {
  return callText("wait", { pattern: pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").slice(0, 200) });
}
