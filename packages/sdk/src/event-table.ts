import type { EventData, EventType, OfAgent, OfTask, OfTerminal } from "./events.ts";

/** What an event is about. The fields of a subject are the same in all its events. */
export interface Subjects {
  terminal: OfTerminal;
  task: OfTask;
  agent: OfAgent;
}

type SubjectOf<Data> = Data extends OfTerminal
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
    when: "a program was started with `run`, or again with `restart`",
    data: { argv: "", cwd: "", restarted: "" },
  },
  terminal_closed: { of: "terminal", when: "its program ended", data: { end: "" } },
  terminal_status_changed: {
    of: "terminal",
    when: "a running program became idle, or works again",
    data: { status: "", before: "", why: "" },
  },
  terminal_removed: { of: "terminal", when: "`rm`; or a day after the end, when it was not to be kept", data: {} },
  task_created: { of: "task", when: "`new` wrote it down", data: { root: "", agent: "", draft: "" } },
  task_started: { of: "task", when: "its agent was started, or started again", data: { terminal: "" } },
  task_progress: {
    of: "task",
    when: "the worktree is made, a file was copied, the setup script printed a line",
    data: { stage: "(`worktree`, `copy`, `setup`)", text: "" },
  },
  task_status_changed: {
    of: "task",
    when: "its running agent became idle, or works again",
    data: { status: "", before: "", why: "" },
  },
  task_stopped: { of: "task", when: "somebody ended its agent", data: { by: "" } },
  task_exited: { of: "task", when: "its agent ended by itself", data: { end: "" } },
  task_lost: { of: "task", when: "the tmux server is gone and took it along", data: { reason: "" } },
  task_completed: { of: "task", when: "somebody declared it complete", data: { by: "" } },
  task_merged: { of: "task", when: "its commits are on its base", data: { base: "", commits: "" } },
  task_reset: { of: "task", when: "it begins again", data: { rescue: "if work was kept" } },
  task_removed: { of: "task", when: "it was removed", data: { rescue: "if work was kept" } },
  task_restored: { of: "task", when: "`undo` brought it back", data: {} },
  task_notified: { of: "task", when: "a task's program rang the bell", data: { count: "" } },
  task_needs_input: { of: "task", when: "a task asks something", data: { question: "(its id)", text: "" } },
  task_disappeared: {
    of: "task",
    when: "a task's session was closed in tmux, not by Paneward, while its agent ran; `task_stopped` follows",
    data: {},
  },
  question_opened: { of: null, when: "a program asks something", data: { question: "" } },
  question_changed: {
    of: null,
    when: "more is known of an open question: its options, what would be done",
    data: { question: "" },
  },
  question_closed: { of: null, when: "it was answered, or it is gone", data: { question: "", by: "" } },
  session_created: { of: "agent", when: "an agent began", data: { kind: "", tmux_pane_id: "", adopted: "" } },
  session_ended: { of: "agent", when: "an agent's conversation is over", data: { reason: "" } },
  state_changed: {
    of: "agent",
    when: "an agent is in another state",
    data: { state: "", before: "", turn_id: "of what was said", latency_ms: "after an answer" },
  },
  turn_created: { of: null, when: "something was said in an agent's conversation", data: { turn: "" } },
  commander_availability: {
    of: null,
    when: "an agent can be answered, or no longer",
    data: { agent_id: "", available: "", timestamp: "" },
  },
  sessions_changed: {
    of: null,
    when: "the daemon started: what a reader knows of sessions may be old",
    data: { reason: "" },
  },
  tasks_changed: { of: null, when: "somebody asked everybody to look again (`refresh`)", data: { reason: "" } },
  focus_changed: {
    of: null,
    when: "the cursor in the [terminal interface](tui.md) came to rest on another one",
    data: { id: "" },
  },
  delivery_updated: {
    of: null,
    when: "something that was sent was typed, submitted, acknowledged, or failed",
    data: { delivery: "", terminal: "", state: "", reason: "if it failed" },
  },
  host_changed: {
    of: null,
    when: "commands to a host travel in another way now",
    data: { host: "", state: "(`control`, `spawn`)", reason: "" },
  },
  thread_started: { of: null, when: "somebody started a thread", data: { thread: "" } },
  thread_message: {
    of: null,
    when: "somebody said something in a thread",
    data: { thread: "", team: "", title: "", message: "", from: "", summary: "" },
  },
  team_task_changed: {
    of: null,
    when: "a task on a team's board was created, claimed, renewed, completed, failed or unblocked",
    data: { task: "", change: "", by: "" },
  },
  team_worker_changed: {
    of: null,
    when: "a team's worker started, works, asks, fell silent or ended",
    data: { worker: "", change: "" },
  },
};

export const eventTypes = Object.keys(eventTable) as readonly EventType[];
