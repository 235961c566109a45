import { z } from "zod";
import { actions } from "../../model/team/can-write.ts";
import { TeamFailure, type TeamFailureCode } from "../../model/team/failure.ts";
import { fieldPath } from "../operations/input-errors.ts";

const maxText = 200_000;
const dayMs = 86_400_000;

/** Counts come as numbers in a body and as digits in a query. */
const count = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int("is a whole number").min(0, "is a whole number"),
);
const text = z
  .string(`is a text of at most ${maxText} characters`)
  .max(maxText, `is a text of at most ${maxText} characters`);
const texts = z
  .array(z.string("is a list of texts").max(4_096, "is a list of texts"), "is a list of texts")
  .max(1_000, "is a list of texts");
const seconds = count.transform((value) => Math.min(600, value)).default(0);
/** null means absent, as in teamd. */
const optional = text.nullish().transform((value) => value ?? undefined);
const agent = z.object({ id: text, role: text.default("worker"), model: optional }, "is a list of agents");

/** The fields of /v1, from a request's body or query. A route picks those it takes; everything else is ignored. */
export const fields = {
  teamId: text.optional(),
  agentId: text,
  /** The author of a change; `system` if none is given. */
  speaker: text.default("system"),
  agents: z.array(agent, "is a list").max(100, "is a list").default([]),
  title: text.transform((value) => value.trim()).refine((value) => value !== "", "is empty"),
  threadTitle: text.default("Thread"),
  description: text.default(""),
  deps: texts.default([]),
  resources: texts.default([]),
  participants: texts.default([]),
  except: texts.default([]),
  ttlMs: count.transform((value) => Math.min(dayMs, Math.max(1_000, value))).optional(),
  epoch: count,
  since: text.regex(/^(seen|\d{1,15})$/, "is a cursor of the inbox").default("0"),
  wait: seconds,
  ack: count.transform((value) => Math.min(60, value)).default(0),
  limit: count.transform((value) => Math.min(200, Math.max(1, value))).default(20),
  taskId: text,
  optionalTaskId: optional,
  threadId: optional,
  q: text.default(""),
  message: text.refine((value) => value.trim() !== "", "is empty"),
  path: text.default(""),
  action: z.enum(actions, `is one of ${actions.join(", ")}`).default("write"),
  session: text,
  workerId: text,
  cwd: text,
  argv: texts.default([]),
  text,
  flag: z.boolean("is true or false").default(false),
  option: count.optional(),
  answer: text.optional(),
};

/** The failure code of each field; other fields have the route's. */
const codes: Readonly<Record<string, TeamFailureCode>> = {
  teamId: "INVALID_TEAM_ID",
  taskId: "INVALID_TASK",
  ...codeFor("INVALID_AGENT_ID", "agentId", "agents", "participants", "since", "workerId"),
  ...codeFor("INVALID_THREAD_MESSAGE", "message", "limit", "q"),
  ...codeFor("INVALID_WORKER", "session", "cwd", "argv", "text", "threadId"),
};

/** Parses the fields of one route; the first wrong one is a failure with its code. */
export function parseFields<Shape extends z.ZodObject>(
  shape: Shape,
  values: Readonly<Record<string, unknown>>,
  otherwise: TeamFailureCode = "INVALID_TASK",
): z.output<Shape> {
  const parsed = shape.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? "");
  throw new TeamFailure(codes[name] ?? otherwise, `${fieldPath(issue?.path ?? [])} ${issue?.message ?? "is invalid"}`);
}

function codeFor(code: TeamFailureCode, ...names: readonly string[]): Readonly<Record<string, TeamFailureCode>> {
  return Object.fromEntries(names.map((name) => [name, code]));
}
