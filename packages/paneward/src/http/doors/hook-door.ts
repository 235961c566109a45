import { allows, wellFormed } from "@paneward/sdk";
import { decisionPrinter, type HookWaitDeps, waitForDecision } from "../../runtime/answering/hook-wait.ts";
import type { HookCall, Hooks } from "../../runtime/witnesses/hooks.ts";
import { createRateLimit } from "../access/limits.ts";
import { parseJsonObject, readBytes } from "../operations/body.ts";
import type { DoorCaller, Mount } from "./mount.ts";

/** `POST /hook/{name}`: reports of agents' hooks. Answers have the shapes of the older dashboard. */
export function hookDoor(deps: HookWaitDeps, hooks: Hooks): Mount {
  const takeRateToken = createRateLimit({ perSecond: 50, burst: 200 }, deps.clock);
  return {
    path: "/hook/:name",
    door: "http",
    async answer(request, caller) {
      if (request.method !== "POST") return failure(405, "method_not_allowed", "hooks use POST");
      if (!maySend(caller)) return failure(403, "not_allowed", "a hook needs the scope send");
      const body = await bodyOf(request);
      if (!body) return failure(400, "invalid_payload", "the body must be a JSON object with session_id");
      const call = callOf(request, body);
      if (takeRateToken(bucketOf(call, caller)) > 0) {
        return failure(429, "rate_limited", "too many hooks from one conversation");
      }
      return answerHook(deps, await hooks.receive(call), call, request);
    },
  };
}

async function answerHook(
  deps: HookWaitDeps,
  outcome: Awaited<ReturnType<Hooks["receive"]>>,
  call: HookCall,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url);
  const forAgent = url.searchParams.get("format") === "agent";
  if (outcome.status !== "ok") {
    return forAgent
      ? new Response("")
      : Response.json(wellFormed(outcome), { status: outcome.status === "dropped" ? 404 : 200 });
  }
  const seconds = secondsToWait(url);
  const { asked } = outcome;
  const print = decisionPrinter(outcome.agent.kind);
  const decision =
    asked && seconds > 0 && outcome.agent.terminal !== undefined && (!forAgent || print)
      ? await waitForDecision(deps, { terminal: outcome.agent.terminal, ...asked }, until(request.signal, seconds))
      : undefined;
  if (forAgent) return new Response(decision && print ? JSON.stringify(wellFormed(print(decision, call.payload))) : "");
  const { agent, isNew, method, changed, begins } = outcome;
  return Response.json(
    wellFormed({
      status: "ok",
      agent_id: agent.id,
      state: agent.state,
      state_changed: changed,
      ...(begins ? { is_new_agent: isNew, correlation_method: method } : {}),
      ...(decision ? { decision } : {}),
    }),
  );
}

function secondsToWait(url: URL): number {
  return Math.min(Number(url.searchParams.get("wait") ?? 0) || 0, maxWaitSeconds);
}

function until(signal: AbortSignal, seconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
}

/** A day, so that a question of the evening can be answered in the morning. */
const maxWaitSeconds = 86_400;
const maxBodyBytes = 4 * 1_048_576;

function maySend({ scope }: DoorCaller): boolean {
  return allows(scope, "send");
}

/** Hooks of one conversation share a bucket. The name comes from outside: only its beginning is kept. */
function bucketOf({ payload, pane }: HookCall, { who }: DoorCaller): string {
  const { session_id: session } = payload;
  return typeof session === "string" ? session.slice(0, 200) : (pane ?? who);
}

async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return parseJsonObject(await readBytes(request, maxBodyBytes));
  } catch {
    return undefined;
  }
}

// A hook script forwards the agent's JSON unchanged; its pane is in headers.
function callOf(request: Request, payload: Readonly<Record<string, unknown>>): HookCall {
  const url = new URL(request.url);
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const pane = text(payload.tmux_pane) ?? text(request.headers.get("x-tmux-pane"));
  const socket = text(payload.tmux_socket);
  return {
    event: text(payload.hook_event_name) ?? eventName(url.pathname.split("/").at(-1) ?? ""),
    payload,
    kind: text(url.searchParams.get("agent")) ?? text(payload.agent),
    pane: pane !== undefined && /^%\d+$/.test(pane) ? pane : undefined,
    tmux: text(payload.tmux) ?? text(request.headers.get("x-tmux")) ?? socket,
    source: text(request.headers.get("x-paneward-hook")),
    waits: secondsToWait(url) > 0,
  };
}

/** `session-end` is SessionEnd. */
function eventName(path: string): string {
  return path.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function failure(status: number, error_type: string, message: string): Response {
  return Response.json({ status: "error", error_type, message, error: { code: error_type, message } }, { status });
}
