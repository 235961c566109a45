import { allows } from "@paneward/sdk";
import { decisionPrinter, type HookWaitDeps, waitForDecision } from "../../runtime/answering/hook-wait.ts";
import type { HookCall, Hooks } from "../../runtime/witnesses/hooks.ts";
import { createRateLimit } from "../access/limits.ts";
import { parseJsonObject, readBytes } from "../operations/body.ts";
import type { DoorCaller, Mount } from "./mount.ts";

/** `POST /hook/{name}`: what agents tell by themselves. Answers in the shapes of the older dashboard. */
export function hookDoor(deps: HookWaitDeps, hooks: Hooks): Mount {
  const takeOne = createRateLimit({ perSecond: 50, burst: 200 }, deps.clock);
  return {
    path: "/hook/:name",
    door: "http",
    async answer(request, visitor) {
      if (request.method !== "POST") return failed(405, "method_not_allowed", "hooks are posted");
      if (!mayTell(visitor)) return failed(403, "not_allowed", "a hook needs a token of the scope send");
      const body = await bodyOf(request);
      if (!body) return failed(400, "invalid_payload", "the body must be a JSON object with session_id");
      const call = callOf(request, body);
      if (takeOne(String(body.session_id ?? call.pane ?? visitor.who)) > 0) {
        return failed(429, "rate_limited", "too many hooks of one conversation");
      }
      return answered(deps, await hooks.hear(call), call, request);
    },
  };
}

async function answered(
  deps: HookWaitDeps,
  heard: Awaited<ReturnType<Hooks["hear"]>>,
  call: HookCall,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url);
  const forAgent = url.searchParams.get("format") === "agent";
  if (heard.status !== "ok") {
    return forAgent ? new Response("") : Response.json(heard, { status: heard.status === "dropped" ? 404 : 200 });
  }
  const seconds = Math.min(Number(url.searchParams.get("wait") ?? 0) || 0, maxWaitSeconds);
  const { asked } = heard;
  const print = decisionPrinter(heard.agent.kind);
  const decision =
    asked && seconds > 0 && heard.agent.terminal !== undefined && (!forAgent || print)
      ? await waitForDecision(deps, heard.agent.terminal, asked, until(request.signal, seconds))
      : undefined;
  if (forAgent) return new Response(decision && print ? JSON.stringify(print(decision, call.payload)) : "");
  const { agent, isNew, method, changed, begins } = heard;
  return Response.json({
    status: "ok",
    agent_id: agent.id,
    state: agent.state,
    state_changed: changed,
    ...(begins ? { is_new_agent: isNew, correlation_method: method } : {}),
    ...(decision ? { decision } : {}),
  });
}

function until(signal: AbortSignal, seconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
}

/** A day: whoever is asked at night answers in the morning. */
const maxWaitSeconds = 86_400;
const maxBodyBytes = 4 * 1_048_576;

function mayTell({ scope }: DoorCaller): boolean {
  return allows(scope, "send");
}

async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return parseJsonObject(await readBytes(request, maxBodyBytes));
  } catch {
    return undefined;
  }
}

// A hook's script passes the agent's JSON on as it is, and what only its pane knows in headers.
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
  };
}

/** `session-end` is SessionEnd. */
function eventName(path: string): string {
  return path.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function failed(status: number, error_type: string, message: string): Response {
  return Response.json({ status: "error", error_type, message, error: { code: error_type, message } }, { status });
}
