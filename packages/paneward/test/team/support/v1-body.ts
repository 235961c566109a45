import { operations } from "@paneward/sdk/operations";
import { z } from "zod";

const Team = operations.teams.output.shape.teams.element;
const Task = operations.team_tasks.output.shape.tasks.element;
const Worker = operations.team_workers.output.shape.workers.element;
const Thread = operations.thread_start.output;
const Message = operations.thread_post.output;

const Notice = z.object({
  type: z.string(),
  threadId: z.string().optional(),
  actor: z.string().optional(),
  summary: z.string().optional(),
});

const shapes = {
  status: z.string(),
  version: z.string(),
  error: z.object({ code: z.string(), message: z.string() }),
  team: Team,
  teams: z.array(Team),
  task: Task,
  tasks: z.array(Task),
  lease: Task.shape.lease.unwrap(),
  allow: z.boolean(),
  thread: Thread,
  threads: z.array(Thread),
  message: Message,
  messages: z.array(Message),
  events: z.array(Notice),
  nextSince: z.string(),
  worker: Worker,
  stopped: z.boolean(),
};

/** The fields of a /v1 response. Reading one that is missing, or has another shape, fails the test. */
export type V1Body = { readonly [Name in keyof typeof shapes]: z.output<(typeof shapes)[Name]> };

export function readBody(json: unknown): V1Body {
  const fields = z.record(z.string(), z.unknown()).parse(json);
  const readers = Object.entries(shapes).map(([name, shape]) => [name, { get: () => shape.parse(fields[name]) }]);
  return Object.defineProperties({}, Object.fromEntries(readers)) as V1Body;
}
