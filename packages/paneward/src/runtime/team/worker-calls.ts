import { PanewardError, type TeamWorker } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Caller } from "../calls.ts";
import { agentIn, ok, type TeamCall, type TeamRequest, teamOf } from "./request.ts";
import { registerWorker, requireWorker, shown } from "./workers.ts";

/** What a leader does with workers, beyond teamd's contract. Only the courier types. */
export const workerCalls: Readonly<Record<string, TeamCall>> = {
  "GET /v1/workers": ({ service, ...request }) => {
    const workers = service.world.store.team.workers(teamOf({ service, ...request }).teamId);
    return ok({ workers: workers.map(shown) });
  },
  "POST /v1/workers": async (request) => {
    const { service, fields } = request;
    const threadId = fields.optional("threadId", "INVALID_WORKER");
    const worker = await registerWorker(service.world, service.hands, teamOf(request), {
      session: fields.text("session", "INVALID_WORKER"),
      agentId: fields.text("workerId", "INVALID_AGENT_ID"),
      leader: agentIn(fields),
      cwd: fields.text("cwd", "INVALID_WORKER"),
      argv: fields.texts("argv", "INVALID_WORKER"),
      ...(threadId === undefined ? {} : { threadId }),
    });
    return { status: 201, body: { worker: shown(worker) } };
  },
  "GET /v1/workers/*": async (request) => {
    const { fields } = request;
    requireWorker(request.service.world, teamOf(request), request.id);
    return ok({ worker: await whenChanged(request, fields.seconds("wait", 600) * 1_000) });
  },
  "POST /v1/workers/*/send": async (request) => {
    const { service, fields, key } = request;
    const { terminal } = requireWorker(service.world, teamOf(request), request.id);
    const text = fields.text("text", "INVALID_WORKER");
    const caller = callerOf(request);
    const input = { id: terminal, text, enter: true, ack: fields.seconds("ack", 60), force: false };
    const delivery = service.hands.send({ ...input, ...(key === undefined ? {} : { idempotency_key: key }) }, caller);
    return ok({ delivery: await delivery.catch(unreachable) });
  },
  "POST /v1/workers/*/stop": async (request) => {
    const { service } = request;
    const { terminal } = requireWorker(service.world, teamOf(request), request.id);
    return ok(await service.hands.stop({ id: terminal }, callerOf(request)).catch(unreachable));
  },
};

function callerOf(request: TeamRequest): Caller {
  const who = `${teamOf(request).teamId}/${agentIn(request.fields)}`;
  return { who, scope: "send", door: "pi", signal: request.signal };
}

function unreachable(cause: unknown): never {
  const code = cause instanceof PanewardError && cause.code === "wrong_state" ? "TASK_NOT_IN_PROGRESS" : undefined;
  throw new TeamFailure(code ?? "WORKER_UNREACHABLE", (cause as Error).message, { cause });
}

/** The worker as soon as it does not work; as it is when the time is over. */
function whenChanged({ service, id, signal, ...rest }: TeamRequest, ms: number): Promise<TeamWorker> {
  const { world } = service;
  const team = teamOf({ service, id, signal, ...rest });
  const look = () => shown(requireWorker(world, team, id));
  if (ms === 0 || look().state !== "working") return Promise.resolve(look());
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve(look());
    };
    const timer = setTimeout(done, ms);
    const stop = world.store.onEvents((events) => {
      if (events.some(({ type }) => type === "team_worker_changed") && look().state !== "working") done();
    });
    signal.addEventListener("abort", done);
  });
}
