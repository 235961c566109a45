import { PanewardError } from "@paneward/sdk";
import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk/reference";
import { commandBeginsMs, noPromptMs } from "../model/timing.ts";
import { patternFrom, searchText } from "../runtime/output/pattern.ts";
import { newOutput } from "../runtime/output/workspace-output.ts";
import type { WorkspacePane } from "../runtime/ports.ts";
import { steadyTime } from "../runtime/steady-time.ts";
import { promptIsBack, withoutEcho } from "./echo.ts";
import { outputSignal } from "./output-signal.ts";
import { Refusal } from "./result.ts";
import { paneAt, type Work } from "./work.ts";

type Params = ParametersOf<(typeof capabilityActions)["wait"]>;
type Reason = "pattern" | "idle" | "exited" | "timeout";

/**
 * Waits for a pattern, for silence, or for the end of the running command, whichever comes first. Output wakes it,
 * because a command's end shows as the shell's prompt. For shells without a prompt it also polls now and then.
 */
export async function wait(work: Work, params: Params): Promise<object> {
  const { world, workspaces, spec, caller } = work;
  const wanted = params.pattern === undefined ? undefined : patternOf(params.pattern);
  const pane = await paneAt(work, params.pane);
  const sentDate = Date.parse((await workspaces.noted(spec, pane, "command_at")) ?? "") || 0;
  const printed = await printedSince(work, pane);
  const sentAt = sentDate === 0 ? 0 : steadyTime(world.clock, sentDate);
  const began = world.clock.monotonic();
  const deadline = began + params.timeout * 1_000;
  const output = outputSignal(world, pane, caller.signal);
  try {
    for (let lookAt = sentAt + commandBeginsMs; ; ) {
      const fired = output.next();
      const now = world.clock.monotonic();
      const idleAt = params.idle === undefined ? never : output.lastFiredAt(began) + params.idle * 1_000;
      const isIdle = now >= lookAt && (await shellIsIdle(work, pane));
      const { text, command, match } = await printed(wanted);
      const quietMs = now - Math.max(sentAt, output.lastFiredAt(sentAt));
      const isBack = sentAt === 0 || promptIsBack(text, command) || quietMs >= noPromptMs;
      const ended = pane.end !== undefined || (isIdle && isBack);
      const reason = reasonFor({ match, ended, idle: now >= idleAt, late: now >= deadline || caller.signal?.aborted });
      if (reason) return await answer(work, pane, reason, match, Math.round(world.clock.monotonic() - began));
      if (now >= lookAt) lookAt = now + pollMs;
      const hasFired = await output.waitOrTimeout(fired, Math.min(lookAt, idleAt, deadline) - now);
      if (hasFired) lookAt = world.clock.monotonic() + commandBeginsMs;
    }
  } finally {
    output.stop();
  }
}

async function answer(work: Work, pane: WorkspacePane, reason: Reason, match: string | undefined, waitedMs: number) {
  const running = (await work.workspaces.running(work.spec, [pane])).get(pane.address)?.command ?? "";
  const more = reason === "pattern" ? { match } : reason === "exited" ? endOf(pane) : {};
  return { pane: pane.address, reason, ...more, running, waited_seconds: waitedMs / 1_000 };
}

/** A match in the last output counts more than the end of the command. */
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
const pollMs = 2_000;

async function shellIsIdle({ workspaces, spec }: Work, pane: WorkspacePane): Promise<boolean> {
  return (await workspaces.running(spec, [pane])).get(pane.address)?.idle ?? true;
}

function endOf({ end }: WorkspacePane): object {
  return end?.kind === "exited" ? { exit_code: end.code } : {};
}

/**
 * Searches what was printed since the last command was sent. Keeps only the last part of it, and the command only while
 * its echo may be in that part.
 */
async function printedSince({ world, workspaces, spec, caller }: Work, pane: WorkspacePane) {
  let command = (await workspaces.noted(spec, pane, "command")) ?? "";
  let cursor = (await workspaces.noted(spec, pane, "command_cursor")) ?? "";
  let text = "";
  return async (wanted: RegExp | undefined) => {
    for (;;) {
      const next = await newOutput(world, spec.host, pane, cursor, 1_000);
      cursor = next.cursor;
      text += next.text;
      const match = wanted && (await searchPattern(caller, wanted, withoutEcho(text, command)));
      const kept = lastLines(text);
      if (kept.length < text.length) command = "";
      text = kept;
      if (match !== undefined || !next.hasMore) return { text, command, match };
    }
  };
}

// A match may start in text that was already searched.
function lastLines(text: string): string {
  if (text.length <= maxKeptChars) return text;
  const line = text.indexOf("\n", text.length - maxKeptChars);
  return text.slice(line < 0 ? -maxKeptChars : line + 1);
}

const maxKeptChars = 20_000;

function patternOf(pattern: string): RegExp {
  try {
    return patternFrom(pattern, "mu");
  } catch (error) {
    const why = error instanceof PanewardError ? (error.cause as Error).message : String(error);
    throw new Refusal(`'pattern' is not a regular expression: ${why}`, literalWait(pattern));
  }
}

async function searchPattern(caller: Work["caller"], wanted: RegExp, text: string): Promise<string | undefined> {
  try {
    return await searchText(caller, wanted, text);
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    throw new Refusal(`'pattern' is too slow: ${error.message}; ${error.hint}`, literalWait(wanted.source));
  }
}

/** A call that waits for the pattern as literal text: always valid. */
function literalWait(pattern: string): string {
  return callText("wait", { pattern: pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").slice(0, 200) });
}
