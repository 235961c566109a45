import type { EventData, EventType, OfAgent, OfNotice, OfTask, OfTerminal } from "./events.ts";

/** What an event is about. The fields of a subject are the same in all its events. */
export interface Subjects {
  terminal: OfTerminal;
  task: OfTask;
  agent: OfAgent;
  notice: OfNotice;
}

type SubjectOf<Data> = Data extends OfNotice
  ? "notice"
  : Data extends OfTerminal
    ? "terminal"
    : Data extends OfTask
      ? "task"
      : Data extends OfAgent
        ? "agent"
        : null;

type OwnField<Data, Of> = Exclude<keyof Data, Of extends keyof Subjects ? keyof Subjects[Of] : never>;

/** When an event of this type is written, and its own fields, each with a note where its name does not say enough. */
interface EventRow<Data> {
  readonly of: SubjectOf<Data>;
  readonly when: string;
  readonly data: Readonly<Record<OwnField<Data, SubjectOf<Data>>, string>>;
}

export const eventTable: { readonly [Type in EventType]: EventRow<EventData[Type]> } = {
  terminal_opened: {
    of: "terminal",
    when: "`run` started a program, or `restart` ran it again",
    data: { argv: "", cwd: "", restarted: "" },
  },
  terminal_closed: { of: "terminal", when: "the program ended", data: { end: "" } },
  terminal_status_changed: {
    of: "terminal",
    when: "a running program became idle, started to wait, or works again",
    data: { status: "", before: "", why: "" },
  },
  terminal_removed: {
    of: "terminal",
    when: "`rm` removed it, or it ended a day ago and was started without `--keep`",
    data: {},
  },
  task_created: { of: "task", when: "`new` created the task", data: { root: "", agent: "", draft: "" } },
  task_started: { of: "task", when: "the agent started, or started again", data: { terminal: "" } },
  task_progress: {
    of: "task",
    when: "the worktree was created, a file was copied, or the setup script printed a line",
    data: { stage: "(`worktree`, `copy`, `setup`)", text: "" },
  },
  task_status_changed: {
    of: "task",
    when: "the running agent became idle, started to wait, or works again; or the task was completed",
    data: { status: "", before: "", why: "" },
  },
  task_stopped: { of: "task", when: "a caller stopped the agent", data: { by: "" } },
  task_exited: { of: "task", when: "the agent ended by itself", data: { end: "" } },
  task_lost: { of: "task", when: "the tmux server is gone, and the agent with it", data: { reason: "" } },
  task_completed: { of: "task", when: "a caller marked the task as completed", data: { by: "" } },
  task_merged: { of: "task", when: "the commits were merged into the base", data: { base: "", commits: "" } },
  task_reset: { of: "task", when: "the task was reset to its base", data: { rescue: "if work was kept" } },
  task_removed: { of: "task", when: "the task was removed", data: { rescue: "if work was kept" } },
  task_restored: { of: "task", when: "`undo` restored the task", data: {} },
  task_notified: { of: "task", when: "the task's program rang the bell", data: { count: "" } },
  task_needs_input: { of: "task", when: "the task waits for an answer", data: { question: "(its id)", text: "" } },
  task_disappeared: {
    of: "task",
    when: "the session was closed in tmux, not by Paneward, while the agent ran; `task_stopped` follows",
    data: {},
  },
  trust_changed: {
    of: null,
    when: "what a repository runs was trusted, or is no longer",
    data: { root: "", trusted: "", by: "" },
  },
  question_opened: { of: null, when: "a program asks a question", data: { question: "" } },
  question_changed: {
    of: null,
    when: "an open question has new details: its options, or what would be done",
    data: { question: "" },
  },
  question_closed: { of: null, when: "the question was answered or withdrawn", data: { question: "", by: "" } },
  session_created: {
    of: "agent",
    when: "an agent's conversation started",
    data: { kind: "", tmux_pane_id: "", adopted: "" },
  },
  session_ended: { of: "agent", when: "an agent's conversation ended", data: { reason: "" } },
  state_changed: {
    of: "agent",
    when: "an agent's state changed",
    data: { state: "", before: "", turn_id: "of the turn that caused it", latency_ms: "after an answer" },
  },
  turn_created: { of: null, when: "a turn was added to an agent's conversation", data: { turn: "" } },
  commander_availability: {
    of: null,
    when: "an agent became reachable or unreachable for answers",
    data: { agent_id: "", available: "", timestamp: "" },
  },
  restore_offered: {
    of: null,
    when: 'programs were lost and [can be started again](restore.md), or none is left; not with `restore = "never"`',
    data: { can: "how many", cannot: "how many more" },
  },
  sessions_changed: {
    of: null,
    when: "the daemon started; a client's list of sessions may be outdated",
    data: { reason: "" },
  },
  tasks_changed: { of: null, when: "`refresh` asked all clients to reload", data: { reason: "" } },
  focus_changed: {
    of: null,
    when: "the selection in the [terminal interface](tui.md) moved",
    data: { id: "" },
  },
  delivery_updated: {
    of: null,
    when: "a delivery was held, typed, submitted or acknowledged, or failed",
    data: { delivery: "", terminal: "", state: "", reason: "if there is one" },
  },
  host_changed: {
    of: null,
    when: "commands to a host use another transport",
    data: { host: "", state: "(`control`, `spawn`)", reason: "" },
  },
  storage_changed: {
    of: null,
    when: "nothing can be stored, because the disk is full or another process holds the database, or it can again; records are missing or damaged; the database's file was replaced",
    data: { state: "(`full`, `busy`, `ok`, `lost`, `damaged`, `replaced`)", reason: "" },
  },
  thread_started: { of: null, when: "a thread was started", data: { thread: "" } },
  thread_message: {
    of: null,
    when: "a message was posted to a thread",
    data: { thread: "", team: "", title: "", message: "", from: "", summary: "" },
  },
  team_task_changed: {
    of: null,
    when: "a task on a team's board was created, claimed, renewed, completed, failed or unblocked",
    data: { task: "", change: "", by: "" },
  },
  team_worker_changed: {
    of: null,
    when: "a worker of a team started, works, asks, fell silent or ended",
    data: { worker: "", change: "" },
  },
  notice_queued: {
    of: "notice",
    when: "a [notice](notify.md) is to be sent through a channel, for the first time or again",
    data: {},
  },
  notice_sent: { of: "notice", when: "the channel took it", data: {} },
  notice_delivered: { of: "notice", when: "the channel took it, and says that it arrived", data: {} },
  notice_failed: { of: "notice", when: "it was not sent, and is not tried again", data: {} },
  notice_unknown: { of: "notice", when: "it may have been sent, and is not repeated", data: {} },
  notice_withdrawn: { of: "notice", when: "it was over before it was sent, or was taken back", data: {} },
  notice_tapped: {
    of: "notice",
    when: "a button of it was pressed",
    data: { outcome: "(`answered`, `refused`)", words: "(as they were shown)" },
  },
};

export const eventTypes = Object.keys(eventTable) as readonly EventType[];
