import type { NoticeKind } from "./notice-kinds.ts";
import type { Agent, End, Question, Status, Turn, Why } from "./shapes.ts";
import type { TeamTask, TeamWorker, Thread } from "./team-shapes.ts";

/** One numbered fact. Numbers have no gaps; a reader resumes from the last one it saw. */
export type PanewardEvent = {
  [Type in EventType]: {
    readonly seq: number;
    readonly at: number;
    readonly type: Type;
    readonly data: EventData[Type];
  };
}[EventType];

export type EventType = keyof EventData;

export interface OfTerminal {
  readonly terminal: string;
  readonly name: string;
  readonly task?: number;
}

export interface OfTask {
  readonly task: number;
  readonly slug: string;
}

export interface OfAgent {
  readonly agent: string;
  /** The same, by the older dashboard's name; absent in events of earlier releases. */
  readonly agent_id?: string;
  readonly name: string;
  readonly terminal?: string;
  readonly task?: number;
}

interface Change {
  readonly status: Status;
  readonly before: Status;
  readonly why: Why;
}

/** What became of a notice on one channel. */
export interface OfNotice {
  readonly notice: string;
  readonly kind: NoticeKind;
  readonly channel: string;
  readonly task?: number;
  readonly terminal?: string;
  readonly question?: string;
  readonly reason?: string;
}

export interface EventData {
  terminal_opened: OfTerminal & { readonly argv: readonly string[]; readonly cwd: string; readonly restarted: boolean };
  terminal_closed: OfTerminal & { readonly end: End };
  terminal_status_changed: OfTerminal & Change;
  terminal_removed: OfTerminal;
  task_created: OfTask & { readonly root: string; readonly agent: string; readonly draft: boolean };
  task_started: OfTask & { readonly terminal: string };
  task_progress: OfTask & { readonly stage: string; readonly text: string };
  task_status_changed: OfTask & Change;
  task_stopped: OfTask & { readonly by: string };
  task_exited: OfTask & { readonly end: End };
  task_lost: OfTask & { readonly reason: string };
  task_completed: OfTask & { readonly by: string };
  task_merged: OfTask & { readonly base: string; readonly commits: number };
  task_reset: OfTask & { readonly rescue?: string };
  task_removed: OfTask & { readonly rescue?: string };
  task_restored: OfTask;
  /** The program rang the bell. */
  task_notified: OfTask & { readonly count: number };
  task_needs_input: OfTask & { readonly question: string; readonly text: string };
  /** Its session was closed in tmux while its agent ran, and not by Paneward. */
  task_disappeared: OfTask;
  /** What a repository runs is trusted, or no longer. */
  trust_changed: { readonly root: string; readonly trusted: boolean; readonly by: string };
  question_opened: { readonly question: Question };
  /** More is known of an open question: its options, or what would be done. */
  question_changed: { readonly question: Question };
  /** Answered, or gone: `by` says how it ended. */
  question_closed: { readonly question: Question; readonly by: string };
  session_created: OfAgent & { readonly kind: string; readonly tmux_pane_id: string | null; readonly adopted: boolean };
  session_ended: OfAgent & { readonly reason: string };
  state_changed: OfAgent & {
    readonly state: Agent["state"];
    readonly before: Agent["state"];
    readonly turn_id?: string;
    readonly latency_ms?: number;
  };
  turn_created: { readonly turn: Turn };
  commander_availability: { readonly agent_id: string; readonly available: boolean; readonly timestamp: number };
  /** Programs were lost and can be started again, or none is left. Only where a person is to be asked. */
  restore_offered: { readonly can: number; readonly cannot: number };
  sessions_changed: { readonly reason: string };
  tasks_changed: { readonly reason: string };
  /** A person looks at this one in the terminal interface; `attach --follow` shows it elsewhere. */
  focus_changed: { readonly id: string };
  delivery_updated: {
    readonly delivery: string;
    readonly terminal: string;
    readonly state: string;
    readonly reason?: string;
  };
  host_changed: { readonly host: string; readonly state: string; readonly reason: string };
  storage_changed: {
    readonly state: "full" | "busy" | "ok" | "lost" | "replaced" | "damaged";
    readonly reason: string;
  };
  thread_started: { readonly thread: Thread };
  thread_message: {
    readonly thread: string;
    readonly team: string;
    readonly title: string;
    readonly message: string;
    readonly from: string;
    /** The first 120 characters. */
    readonly summary: string;
  };
  team_task_changed: { readonly task: TeamTask; readonly change: string; readonly by: string };
  team_worker_changed: { readonly worker: TeamWorker; readonly change: string };
  notice_queued: OfNotice;
  notice_sent: OfNotice;
  notice_delivered: OfNotice;
  notice_failed: OfNotice;
  /** It may have been sent, and is not repeated. */
  notice_unknown: OfNotice;
  notice_withdrawn: OfNotice;
  /** A button of it was pressed. */
  notice_tapped: OfNotice & { readonly outcome: "answered" | "refused"; readonly words: string };
}

/** Sent in place of trimmed events: those after `after`, up to `before`, are no longer stored. */
export interface Gap {
  readonly type: "gap";
  readonly after: number;
  readonly before: number;
}
