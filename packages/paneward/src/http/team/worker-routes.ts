import type { Hono } from "hono";
import { z } from "zod";
import type { Caller } from "../../runtime/calls.ts";
import {
  publicWorker,
  registerWorker,
  requireNoDialog,
  requireQuestion,
  requireWorker,
  waitUntilNotWorking,
} from "../../runtime/team/workers.ts";
import { workerFailure } from "./failures.ts";
import { fields } from "./fields.ts";
import { fieldsOf, type TeamContext, type TeamEnv, teamOf } from "./request.ts";

const { agentId } = fields;
const newWorker = z.object({
  session: fields.session,
  workerId: fields.workerId,
  agentId,
  cwd: fields.cwd,
  argv: fields.argv,
  threadId: fields.threadId,
});
const waiting = z.object({ wait: fields.wait });
const message = z.object({
  agentId,
  text: fields.text,
  ack: fields.ack,
  command: fields.flag,
  waits: fields.flag,
});
const answer = z.object({ agentId, option: fields.option, text: fields.answer });
const byAgent = z.object({ agentId });

/** What a leader does with workers, beyond teamd's contract. */
export function workerRoutes(app: Hono<TeamEnv>): void {
  app.get("/workers", (c) => {
    const workers = c.get("team").service.ports.store.team.workers(teamOf(c).teamId);
    return c.json({ workers: workers.map(publicWorker) });
  });
  app.post("/workers", async (c) => {
    const { ports, terminals } = c.get("team").service;
    const { workerId, agentId: leader, threadId, ...wanted } = fieldsOf(c, newWorker);
    const worker = await registerWorker(ports, terminals.adopt, teamOf(c), {
      ...{ ...wanted, agentId: workerId, leader },
      ...(threadId === undefined ? {} : { threadId }),
    }).catch(failedWorker);
    return c.json({ worker: publicWorker(worker) }, 201);
  });
  app.get("/workers/:id", async (c) => {
    const { ports } = c.get("team").service;
    const { wait } = fieldsOf(c, waiting);
    const worker = await waitUntilNotWorking(ports, teamOf(c), c.req.param("id"), wait * 1_000, c.req.raw.signal);
    return c.json({ worker: publicWorker(worker) });
  });
  app.post("/workers/:id/send", async (c) => {
    const { service, idempotencyKey: key } = c.get("team");
    const worker = requireWorker(service.ports, teamOf(c), c.req.param("id"));
    const { text, ack, command, waits } = fieldsOf(c, message);
    if (!waits) requireNoDialog(service.ports, worker);
    const { terminal } = worker;
    const input = { id: terminal, text, enter: true, ack, force: false, command };
    const delivery = service.terminals.send(
      { ...input, ...(key === undefined ? {} : { idempotency_key: key }) },
      callerOf(c),
    );
    return c.json({ delivery: await delivery.catch(failedWorker) });
  });
  app.post("/workers/:id/answer", async (c) => {
    const { service, idempotencyKey: key } = c.get("team");
    const worker = requireWorker(service.ports, teamOf(c), c.req.param("id"));
    const { agentId: by, option, text } = fieldsOf(c, answer);
    const question = requireQuestion(worker, by);
    const given = { ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }) };
    const input = { id: worker.terminal, question: question.id, ...given };
    const receipt = service.terminals.respond(
      { ...input, ...(key === undefined ? {} : { idempotency_key: key }) },
      { ...callerOf(c), scope: "approve" },
    );
    return c.json({ question, answer: await receipt.catch(failedWorker) });
  });
  app.post("/workers/:id/stop", async (c) => {
    const { service } = c.get("team");
    const { terminal } = requireWorker(service.ports, teamOf(c), c.req.param("id"));
    return c.json(await service.terminals.stop({ id: terminal }, callerOf(c)).catch(failedWorker));
  });
}

function callerOf(c: TeamContext): Caller {
  const who = `${teamOf(c).teamId}/${fieldsOf(c, byAgent).agentId}`;
  return { who, scope: "send", door: "pi", signal: c.req.raw.signal };
}

function failedWorker(cause: unknown): never {
  throw workerFailure(cause);
}
