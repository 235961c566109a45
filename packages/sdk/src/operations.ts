import { z } from "zod";
import { type OperationName, routes } from "./routes.ts";
import { scopes } from "./scopes.ts";
import { Agent, Delivery, Question, Status, Task, Terminal, Turn, Why } from "./shapes.ts";
import { isTeamName } from "./team-names.ts";
import { Team, TeamTask, TeamWorker, Thread, ThreadMessage } from "./team-shapes.ts";

const text = (longest: number) => z.string().max(longest);
const noControl = (longest: number) =>
  text(longest).regex(/^[^\u0000-\u001f\u007f]*$/, "control characters are not allowed here");
const id = noControl(120)
  .min(1)
  .regex(/^(?!\.{1,2}$)[^/\\]*$/, "an id holds no slash and is not . or ..");
const path = text(4_096).regex(/^[^\u0000\n\r]*$/, "a path cannot hold line breaks");
const yes = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] });
const whole = z.number().int();
// A query holds text only. z.coerce would also take "", null and true for numbers.
const inQuery = (number: z.ZodNumber) => z.preprocess((value) => (isDigits(value) ? Number(value) : value), number);
const isDigits = (value: unknown) => typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
const oneId = z.object({ id });

const terminalName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9._-]{0,59}$/, "a name has 1 to 60 of A-Z a-z 0-9 . _ - and begins with a letter")
  .refine((name) => !/^t\d+$/.test(name), "a name cannot look like a terminal's id");

const teamName = z.string().refine(isTeamName, "a name has 1 to 100 of A-Z a-z 0-9 . _ -");
const words = text(200_000)
  .min(1)
  .regex(/^[^\u0000]*$/, "a text holds no zero bytes");
const asAgent = teamName.optional().describe("The name to speak by; absent: user, or mcp for a model");

const Condition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited") }),
  z.object({ kind: z.literal("needs_input") }),
  z.object({ kind: z.literal("idle") }),
  z.object({ kind: z.literal("output"), pattern: text(500).min(1) }),
]);
export type Condition = Readonly<z.infer<typeof Condition>>;

const Waited = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), id: z.string(), code: z.number().int() }),
  z.object({ kind: z.literal("killed"), id: z.string(), signal: z.number().int() }),
  z.object({ kind: z.literal("stopped"), id: z.string(), by: z.string() }),
  z.object({ kind: z.literal("lost"), id: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("ended"), id: z.string() }),
  z.object({ kind: z.literal("needs_input"), id: z.string(), question: Question.optional() }),
  z.object({ kind: z.literal("idle"), id: z.string() }),
  z.object({ kind: z.literal("output"), id: z.string(), match: z.string() }),
  z.object({ kind: z.literal("timed_out"), resume: z.string() }),
]);
export type Waited = Readonly<z.infer<typeof Waited>>;

const CapabilityResult = z.discriminatedUnion("success", [
  z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.object({ success: z.literal(false), error: z.string(), suggestion: z.string() }),
]);
export type CapabilityResult = Readonly<z.infer<typeof CapabilityResult>>;

const Rescue = z.string().optional().describe("Where unmerged work was kept; `undo` brings it back");

/** Input and output of every row of `routes`. */
const schemas = {
  ping: {
    input: z.object({}),
    output: z.object({
      pong: z.literal(true),
      version: z.string(),
      pid: z.number(),
      startedAt: z.number(),
      lastEvent: z.number(),
    }),
  },
  shutdown: { input: z.object({}), output: z.object({ stopping: z.literal(true), pid: z.number() }) },
  doctor: {
    input: z.object({}),
    output: z.object({
      checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string().optional() })),
    }),
  },
  config: {
    input: z.object({ root: path.optional() }),
    output: z.object({
      config: z.record(z.string(), z.unknown()),
      files: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
  },
  hosts: {
    input: z.object({}),
    output: z.object({
      hosts: z.array(
        z.object({
          name: z.string(),
          prefix: z.array(z.string()),
          state: z.string(),
          transport: z.string(),
          reason: z.string().optional(),
          socket: z.string(),
          tmux: z.string().optional(),
          latency_ms: z.number().optional().describe("One question to tmux and its answer"),
        }),
      ),
    }),
  },
  ps: {
    input: z.object({ all: yes.optional(), root: path.optional() }),
    output: z.object({ tasks: z.array(Task), terminals: z.array(Terminal), lastEvent: z.number() }),
  },
  sessions: {
    input: z.object({}),
    output: z.object({
      sessions: z.array(
        z.object({
          name: z.string(),
          session: z.string(),
          windows: z.number(),
          attached: z.number(),
          createdAt: z.number(),
          task: z.number().optional(),
          terminal: z.string().optional(),
        }),
      ),
    }),
  },
  refresh: {
    input: z.object({ reason: noControl(200).default("asked for") }),
    output: z.object({ told: z.literal(true) }),
  },
  focus: { input: oneId, output: z.object({ told: z.literal(true) }) },
  explain: {
    input: oneId,
    output: z.object({
      id: z.string(),
      name: z.string(),
      status: Status,
      why: Why,
      witnesses: z.array(
        z.object({
          witness: z.string(),
          says: z.string(),
          at: z.number(),
          used: z.boolean(),
          because: z.string().optional().describe("Why it is believed, or why not"),
        }),
      ),
    }),
  },
  run: {
    input: z.object({
      argv: z.array(text(100_000)).min(1).max(1_000),
      name: terminalName.optional(),
      cwd: path.min(1).optional(),
      host: noControl(60).optional(),
      env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/), text(100_000)).optional(),
      keep: z.boolean().default(false),
      columns: whole.min(2).max(1_000).default(200),
      rows: whole.min(2).max(1_000).default(50),
    }),
    output: Terminal,
  },
  read: {
    input: z.object({
      id,
      since: noControl(100).optional().describe("The cursor of an earlier read: only what is new"),
      lines: inQuery(whole.min(1).max(100_000)).optional().describe("Only the last so many lines"),
      all: yes.optional().describe("From the oldest byte that is kept, whatever since and lines say"),
      max_bytes: inQuery(whole.min(1).max(4_194_304))
        .default(65_536)
        .describe("When there is more text, its middle is left out"),
      max_tokens: inQuery(whole.min(1).max(1_000_000)).optional().describe("The same, at about 4 characters per token"),
      pages: yes.optional().describe("Leave nothing out: end where the budget ends, and say has_more"),
      raw: yes.optional().describe("Keep escape sequences"),
      wait: inQuery(z.number().min(0).max(600)).default(0).describe("Seconds to wait until there is something new"),
    }),
    output: z.object({
      output: z.string(),
      cursor: z.string(),
      lines: z.number().int(),
      has_more: z.boolean(),
      missed: z.number().int().describe("Bytes before this that are no longer kept"),
      left_out: z
        .object({ lines: z.number().int(), bytes: z.number().int() })
        .optional()
        .describe("What the budget had no room for; a line in the text says where"),
      state: Status,
    }),
  },
  screen: {
    input: z.object({ id, escapes: yes.optional() }),
    output: z.object({ id: z.string(), lines: z.array(z.string()), columns: z.number(), rows: z.number() }),
  },
  send: {
    input: z.object({
      id,
      text: text(2_097_152).optional(),
      enter: z.boolean().default(true),
      keys: z.array(noControl(30).min(1)).max(100).optional(),
      idempotency_key: noControl(200).min(1).optional(),
      ack: z.number().min(0).max(60).default(0).describe("Seconds to wait for a witness that it arrived"),
      force: z.boolean().default(false).describe("Type even over a half-typed draft; never into an open permission"),
    }),
    output: Delivery,
  },
  stop: { input: oneId, output: z.object({ id: z.string(), stopped: z.boolean() }) },
  restart: { input: oneId, output: Terminal },
  attach: {
    input: oneId,
    output: z.object({ argv: z.array(z.string()), session: z.string(), started: z.boolean() }),
  },
  rm: { input: oneId, output: z.object({ removed: z.string(), rescue: Rescue }) },
  new: {
    input: z.object({
      root: path.min(1),
      text: text(2_097_152).min(1),
      agent: noControl(60).min(1).optional(),
      base: noControl(200).min(1).optional(),
      draft: z.boolean().default(false),
    }),
    output: Task,
  },
  start: { input: oneId, output: Task },
  complete: { input: oneId, output: Task },
  reset: { input: oneId, output: z.object({ task: Task, rescue: Rescue }) },
  merge: {
    input: z.object({ id, base: noControl(200).min(1).optional() }),
    output: z.object({ base: z.string(), commits: z.number().int(), head: z.string() }),
  },
  diff: {
    input: z.object({ id, stat: yes.optional() }),
    output: z.object({ base: z.string(), diff: z.string(), truncated: z.boolean() }),
  },
  path: {
    input: oneId,
    output: z.object({ path: z.string(), exists: z.boolean(), env: z.record(z.string(), z.string()) }),
  },
  branch: { input: oneId, output: z.object({ branch: z.string(), base: z.string().optional() }) },
  bootstrap: {
    input: oneId,
    output: z.object({ copied: z.array(z.string()), ran: z.string().optional(), output: z.string() }),
  },
  undo: { input: z.object({ id: whole.optional() }), output: z.object({ undone: z.string(), task: Task }) },
  agents: { input: z.object({ all: yes.optional() }), output: z.object({ agents: z.array(Agent) }) },
  agent: { input: oneId, output: Agent },
  turns: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(1_000)).default(200) }),
    output: z.object({ turns: z.array(Turn) }),
  },
  questions: { input: z.object({}), output: z.object({ questions: z.array(Question) }) },
  deliveries: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(1_000)).default(50) }),
    output: z.object({ deliveries: z.array(Delivery) }),
  },
  adopt: {
    input: z.object({
      pane: z.string().regex(/^%\d+$/, "a pane is named as tmux does: %12"),
      socket: path
        .min(1)
        .optional()
        .describe("The socket of your tmux server; absent: the one that plain tmux reaches"),
      agent: noControl(60).min(1).optional().describe("Which program it is: claude, codex, …"),
    }),
    output: Agent,
  },
  respond: {
    input: z.object({
      id,
      text: text(2_097_152).optional(),
      option: whole.min(0).max(1_000).optional().describe("The number of an option as it stands on the screen"),
      question: noControl(100)
        .optional()
        .describe("The id of the question that is meant; refused when it is another one"),
      mode: z.enum(["text", "select", "other", "multi_select"]).optional(),
      option_index: whole.min(0).max(1_000).optional().describe("Counted from 0, as the older dashboard does"),
      option_label: text(2_000).optional(),
      answers: z
        .array(
          z.object({
            option_index: whole.min(0).optional(),
            option_indices: z.array(whole.min(0)).max(100).optional(),
          }),
        )
        .max(20)
        .optional(),
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: z.object({
      status: z.enum(["ok", "queued"]).describe("queued: the courier holds it; the receipt tells the rest"),
      agent_id: z.string(),
      mode: z.string(),
      new_state: z.enum(["processing", "awaiting_input"]),
      latency_ms: z.number(),
      delivery_id: z.string(),
      turn_id: z.string().optional(),
      repeated: z.boolean().optional().describe("The key had been used: this is what became of it then"),
    }),
  },
  availability: {
    input: oneId,
    output: z.object({ status: z.literal("ok"), agent_id: z.string(), commander_available: z.boolean() }),
  },
  events: {
    input: z.object({
      after: inQuery(whole.min(0)).default(0),
      limit: inQuery(whole.min(1).max(10_000)).default(1_000),
      types: noControl(2_000).optional(),
    }),
    output: z.object({
      events: z.array(z.object({ seq: z.number(), at: z.number(), type: z.string(), data: z.unknown() })),
      last: z.number(),
      gap: z.object({ type: z.literal("gap"), after: z.number(), before: z.number() }).optional(),
    }),
  },
  wait: {
    input: z.object({
      ids: z.array(id).min(1).max(1_000),
      mode: z.enum(["any", "all"]).default("all"),
      for: z.array(Condition).min(1).max(10),
      timeout: z.number().min(0).max(86_400).default(60),
      resume: text(100_000).optional(),
    }),
    output: z.object({ results: z.array(Waited) }),
  },
  capability: {
    input: z.object({
      text: text(262_144).optional().describe("Text with <capability …> tags; what stands around them is ignored"),
      action: noControl(100).optional(),
      params: z.record(noControl(100), z.union([text(65_536), z.number(), z.boolean()])).optional(),
    }),
    output: z.object({ results: z.array(CapabilityResult) }),
  },
  whoami: {
    input: z.object({}),
    output: z.object({
      who: z.string(),
      scope: z.enum(scopes),
      login: z.string().optional().describe("The login of the browser that asks"),
      expiresAt: z.number().optional(),
    }),
  },
  activity: {
    input: z.object({ id: id.optional() }),
    output: z.object({
      minute: z.number().describe("When the last of the counts began"),
      terminals: z.array(
        z.object({
          id: z.string(),
          counts: z.array(z.number().int()).describe("Bursts of output, one number per minute, the last hour"),
          last: z.string().describe("The last line on the screen that says something"),
        }),
      ),
    }),
  },
  recording: {
    input: oneId,
    output: z.object({
      id: z.string(),
      columns: z.number(),
      rows: z.number(),
      parts: z.array(
        z.object({
          epoch: z.string(),
          from: z.number().describe("The first byte that is still kept"),
          to: z.number(),
          times: z.array(z.tuple([z.number(), z.number()])).describe("Byte and millisecond, in order"),
        }),
      ),
    }),
  },
  login_link: {
    input: z.object({
      scope: z.enum(scopes).default("admin"),
      minutes: z.number().min(0.01).max(1_440).default(10).describe("How long the link is good"),
    }),
    output: z.object({ url: z.string(), scope: z.enum(scopes), expiresAt: z.number() }),
  },
  login_list: {
    input: z.object({}),
    output: z.object({
      logins: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          scope: z.enum(scopes),
          by: z.string().describe("link, or the token that it was made with"),
          createdAt: z.number(),
          expiresAt: z.number(),
          lastUsedAt: z.number().optional(),
        }),
      ),
    }),
  },
  login_revoke: { input: oneId, output: z.object({ revoked: z.string() }) },
  teams: { input: z.object({}), output: z.object({ teams: z.array(Team) }) },
  team_open: {
    input: z.object({
      team: teamName.default("default"),
      root: path.min(1).optional().describe("The folder that relative resources mean"),
      agent: teamName.optional().describe("Who opens it, and with no leader there yet, leads it"),
    }),
    output: z.object({
      teamId: z.string(),
      url: z.string().optional().describe("Absent when there is no HTTP on loopback"),
      token: z.string().describe("Opens this team's /v1 and nothing else; changes when the daemon starts"),
      pid: z.number(),
      schemaVersion: z.string(),
      socket: z.string(),
      runtimePath: z.string(),
    }),
  },
  team_tasks: { input: z.object({ team: teamName.optional() }), output: z.object({ tasks: z.array(TeamTask) }) },
  team_workers: { input: z.object({ team: teamName.optional() }), output: z.object({ workers: z.array(TeamWorker) }) },
  threads: {
    input: z.object({
      team: teamName.optional(),
      q: noControl(200).optional().describe("Only those with this in title, task, participants or messages"),
    }),
    output: z.object({ threads: z.array(Thread) }),
  },
  thread_start: {
    input: z.object({
      team: teamName.default("default"),
      title: noControl(200).min(1).default("Thread"),
      participants: z.array(teamName).max(100).default([]),
      text: words.optional().describe("The first message"),
      as: asAgent,
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: Thread,
  },
  thread_read: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(200)).default(20) }),
    output: z.object({ thread: Thread, messages: z.array(ThreadMessage) }),
  },
  thread_post: {
    input: z.object({
      id,
      text: words,
      as: asAgent,
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: ThreadMessage,
  },
  token_create: {
    input: z.object({ scope: z.enum(scopes), name: noControl(60).min(1).default("token") }),
    output: z.object({ id: z.string(), name: z.string(), scope: z.enum(scopes), token: z.string() }),
  },
  token_list: {
    input: z.object({}),
    output: z.object({
      tokens: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          scope: z.enum(scopes),
          createdAt: z.number(),
          lastUsedAt: z.number().optional(),
        }),
      ),
    }),
  },
  token_revoke: { input: oneId, output: z.object({ revoked: z.string() }) },
  audit: {
    input: z.object({ limit: inQuery(whole.min(1).max(10_000)).default(100) }),
    output: z.object({
      entries: z.array(
        z.object({
          at: z.number(),
          who: z.string(),
          door: z.string(),
          operation: z.string(),
          subject: z.string(),
          outcome: z.string(),
        }),
      ),
    }),
  },
} as const satisfies Readonly<Record<OperationName, { readonly input: z.ZodObject; readonly output: z.ZodType }>>;

type Schemas = typeof schemas;
export type Input<Name extends OperationName> = z.input<Schemas[Name]["input"]>;
export type Parsed<Name extends OperationName> = z.output<Schemas[Name]["input"]>;
export type Output<Name extends OperationName> = z.output<Schemas[Name]["output"]>;

/** The operation table: routes and schemas together. */
export const operations = Object.fromEntries(
  Object.entries(routes).map(([name, route]) => [name, { name, ...route, ...schemas[name as OperationName] }]),
) as { readonly [Name in OperationName]: (typeof routes)[Name] & Schemas[Name] & { readonly name: Name } };
