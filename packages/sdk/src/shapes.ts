import { z } from "zod";

/** The shapes that operations and events share. */

const statuses = ["Draft", "Stopped", "Running", "Idle", "Waiting", "Exited", "Completed", "Lost"] as const;
export const Status = z.enum(statuses);
export type Status = z.infer<typeof Status>;

/** Why something has its status: the source, the rule and the time. */
export const Why = z
  .object({
    source: z.string(),
    rule: z.string(),
    since: z.number(),
    evidence: z.string().optional(),
    /** A special case: the agent cannot continue, works in the background, or claims to work and does not. */
    detail: z.enum(["quota_reached", "login_expired", "background_work", "stuck"]).optional(),
    unverified: z.boolean().optional().describe("Only printed by the program: any output can say so"),
  })
  .meta({ id: "Why" });
export type Why = Readonly<z.infer<typeof Why>>;

/** How a terminal's program ended. These cases differ, and none of them is idle. */
export const End = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("exited"), code: z.number().int() }),
    z.object({ kind: z.literal("killed"), signal: z.number().int() }),
    z.object({ kind: z.literal("stopped"), by: z.string() }),
    z.object({ kind: z.literal("lost"), reason: z.string() }),
    z.object({ kind: z.literal("unknown") }),
  ])
  .meta({ id: "End" });
export type End = Readonly<z.infer<typeof End>>;

/** One way to answer. `number` is the number on the screen, and the value for `option` of an answer. */
export const QuestionOption = z
  .object({
    number: z.number().int(),
    label: z.string(),
    /** The key the program expects if it is not the number: `y`, `n`, `a`. */
    key: z.string().optional(),
    description: z.string().optional(),
    /** The pointer is on it: Enter selects it. */
    selected: z.boolean().optional(),
    /** Its box is ticked, where several can be chosen. */
    checked: z.boolean().optional(),
    /** What it does with a permission, this once. Other options add rules or change modes. */
    does: z.enum(["approve", "deny"]).optional(),
  })
  .meta({ id: "QuestionOption" });
export type QuestionOption = Readonly<z.infer<typeof QuestionOption>>;

/** What the permission would allow. */
export const Proposal = z
  .object({
    tool: z.string().optional(),
    command: z.string().optional(),
    path: z.string().optional(),
    diff: z.string().optional(),
    /** Anything else that is known, as text. */
    more: z.string().optional(),
  })
  .meta({ id: "Proposal" });
export type Proposal = Readonly<z.infer<typeof Proposal>>;

/** A pending prompt of a program: what it asks, what it would do, how to answer. It can be answered only once. */
export const Question = z
  .object({
    id: z.string(),
    terminal: z.string(),
    task: z.number().int().optional(),
    agent: z.string().optional(),
    kind: z.enum(["permission", "choice", "multi_choice", "plan", "text", "confirm", "password", "press_key"]),
    text: z.string(),
    options: z.array(QuestionOption),
    /** Whether free text is accepted as an answer. */
    freeText: z.boolean(),
    unverified: z.boolean().optional().describe("Only printed by the program: any output can ask so"),
    proposal: Proposal.optional(),
    /** Whether `proposal` is proved to be all that would be done. Absent when there is nothing to approve. */
    whole: z.boolean().optional(),
    /** What proves it: the agent's own report, or its dialog, read from the first to the last line. */
    proof: z.enum(["agent", "screen"]).optional(),
    /** Why it is not proved, for people: `Codex shows 28 of 80 lines`. */
    doubt: z.string().optional(),
    /** What the agent itself reported, where its screen shows something else. */
    reported: Proposal.optional(),
    /** The one request of the agent that this is: the agent's own id, or one that Paneward gave to the hook. */
    request: z.string().optional(),
    /** Where the question was detected. */
    source: z.string(),
    /**
     * Hash of the question's lines on the screen, as they are drawn at this width, and of their position if they do not
     * move; an answer to another question is refused.
     */
    screenHash: z.string(),
    state: z.enum(["open", "answering", "closed"]),
    openedAt: z.number(),
    /** When it was first seen on the screen; a hook may report it earlier. */
    drawnAt: z.number().optional(),
    closedAt: z.number().optional(),
    /** How it ended: who answered it, or what removed it. */
    closedBy: z.string().optional(),
  })
  .meta({ id: "Question" });
export type Question = Readonly<z.infer<typeof Question>>;

const agentStates = ["idle", "commanded", "processing", "awaiting_input", "complete"] as const;

/** A coding agent's conversation in a terminal. */
export const Agent = z
  .object({
    id: z.string(),
    /** A built-in agent, or one of the configuration. */
    kind: z.string(),
    name: z.string(),
    terminal: z.string().optional(),
    task: z.number().int().optional(),
    cwd: z.string().optional(),
    /** The agent's own id of the conversation. It changes with /clear; the agent stays the same. */
    session_id: z.string().optional(),
    tmux_pane_id: z.string().nullable(),
    iterm_pane_id: z.string().nullable(),
    state: z.enum(agentStates),
    stateSince: z.number(),
    /** Processing, but silent for very long: shown as timed out. */
    timed_out: z.boolean(),
    commander_available: z.boolean(),
    /** It runs in the user's own tmux server: read and answered, never managed. */
    adopted: z.boolean(),
    question: Question.optional(),
    startedAt: z.number(),
    endedAt: z.number().optional(),
  })
  .meta({ id: "Agent" });
export type Agent = Readonly<z.infer<typeof Agent>>;

const turnIntents = ["command", "answer", "question", "completion", "progress", "end_of_task"] as const;

/** One message of an agent's conversation. */
export const Turn = z
  .object({
    id: z.string(),
    agent: z.string(),
    actor: z.enum(["user", "agent"]),
    intent: z.enum(turnIntents),
    text: z.string(),
    at: z.number(),
    /** The question that this message asks or answers. */
    question: z.string().optional(),
    delivery: z.string().optional(),
  })
  .meta({ id: "Turn" });
export type Turn = Readonly<z.infer<typeof Turn>>;

/** Whether a lost program can be started again. */
export const Restore = z
  .object({
    can: z.boolean(),
    command: z.string().optional().describe("What brings it back"),
    reason: z.string().optional().describe("Why it cannot be restored, or why it did not come back by itself"),
  })
  .meta({ id: "Restore" });
export type Restore = Readonly<z.infer<typeof Restore>>;

export const Terminal = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    task: z.number().int().optional(),
    argv: z.array(z.string()),
    cwd: z.string(),
    session: z.string(),
    pane: z.string().optional(),
    pid: z.number().int().optional(),
    status: Status,
    why: Why,
    end: End.optional(),
    createdAt: z.number(),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    lastOutputAt: z.number().optional(),
    agent: z.string().optional().describe("The id of the agent that runs in it"),
    adopted: z.boolean().optional().describe("It runs in the user's own tmux: read and answered, never managed"),
    keepRunning: z.boolean().optional().describe("It comes back by itself after the tmux server was lost"),
    restore: Restore.optional().describe("Of a lost one"),
    question: Question.optional().describe("The question that is open now"),
  })
  .meta({ id: "Terminal" });
export type Terminal = Readonly<z.infer<typeof Terminal>>;

export const WorkAmount = z
  .object({ added: z.number().int(), removed: z.number().int(), ahead: z.number().int() })
  .meta({ id: "WorkAmount", description: "Uncommitted lines, and commits ahead of the base" });
export type WorkAmount = Readonly<z.infer<typeof WorkAmount>>;

export const Task = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    root: z.string(),
    text: z.string(),
    agent: z.string(),
    base: z.string().optional(),
    branch: z.string(),
    worktree: z.string(),
    terminal: z.string().optional(),
    session: z.string(),
    status: Status,
    why: Why,
    end: End.optional(),
    work: WorkAmount.optional(),
    createdAt: z.number(),
    startedAt: z.number().optional(),
    agentId: z.string().optional().describe("The id of the agent that works on it"),
    question: Question.optional().describe("The question that is open now"),
    restore: Restore.optional().describe("Of a lost one"),
    emptySubmodules: z.array(z.string()).optional().describe("Submodules that have no files after the bootstrap"),
  })
  .meta({ id: "Task" });
export type Task = Readonly<z.infer<typeof Task>>;

export const Delivery = z
  .object({
    id: z.string(),
    terminal: z.string(),
    state: z.enum(["queued", "held", "typed", "submitted", "acknowledged", "unknown", "failed"]),
    reason: z.string().optional(),
    release: z.string().optional().describe("What would release it, while something blocks it"),
    way: z
      .enum(["keys", "http"])
      .optional()
      .describe(
        "How it is given to an agent that also takes prompts over HTTP; absent for others, and before that is known",
      ),
    changed: z.string().optional().describe("What the agent's input line makes of the text, where it arrives changed"),
    /** The text that was sent, cut at 500 characters. */
    text: z.string().optional(),
    /** The question that this answers. */
    question: z.string().optional(),
    by: z.string().optional(),
    createdAt: z.number(),
    updatedAt: z.number(),
    repeated: z.boolean().optional(),
  })
  .meta({ id: "Delivery" });
export type Delivery = Readonly<z.infer<typeof Delivery>>;
