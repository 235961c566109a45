import type { EventData, EventType, PanewardEvent } from "../../src/events.ts";
import type { Agent, Question, Status, Task, Terminal } from "../../src/shapes.ts";
import type { TeamTask, TeamWorker, Thread } from "../../src/team-shapes.ts";
import { type Lists, snapshot } from "../../src/view/snapshot.ts";
import { emptyView, type View } from "../../src/view/view.ts";

/** The view after one list, as of event 1. */
export function viewOf(lists: Partial<Lists>): View {
  return snapshot(emptyView, { tasks: [], terminals: [], agents: [], questions: [], lastEvent: 1, ...lists });
}

export function event<Type extends EventType>(seq: number, type: Type, data: EventData[Type]): PanewardEvent {
  return { seq, at: 999 + seq, type, data } as PanewardEvent;
}

export function task(id: number, status: Status, more: Partial<Task> = {}): Task {
  return {
    id,
    slug: `task-${id}`,
    root: "/home/me/shop",
    text: `do thing ${id}`,
    agent: "claude",
    branch: `paneward/${id}-task-${id}`,
    worktree: `/state/${id}`,
    session: `paneward-${id}`,
    status,
    why: { source: "output", rule: "no output for 1 s", since: 5 },
    createdAt: id,
    ...more,
  };
}

export function terminal(id: string, status: Status, more: Partial<Terminal> = {}): Terminal {
  return {
    id,
    name: `name-${id}`,
    host: "local",
    argv: ["/bin/sh", "-c", "true"],
    cwd: "/tmp",
    session: `pw-${id}`,
    status,
    why: { source: "output", rule: "no output for 1 s", since: 5 },
    createdAt: 1,
    ...more,
  };
}

export function question(id: string, inTerminal: string, more: Partial<Question> = {}): Question {
  return {
    id,
    terminal: inTerminal,
    kind: "confirm",
    text: "Continue?",
    options: [],
    freeText: true,
    source: "screen",
    screenHash: "h",
    state: "open",
    openedAt: 3,
    ...more,
  };
}

export function agent(id: string, more: Partial<Agent> = {}): Agent {
  return {
    id,
    kind: "claude",
    name: id,
    tmux_pane_id: null,
    iterm_pane_id: null,
    state: "idle",
    stateSince: 4,
    timed_out: false,
    commander_available: false,
    adopted: false,
    startedAt: 2,
    ...more,
  };
}

export const teamTask: TeamTask = {
  schemaVersion: "1.0.0",
  id: "task-0001",
  teamId: "demo",
  title: "Fix it",
  description: "",
  status: "pending",
  owner: null,
  deps: [],
  resources: ["src"],
  lease: null,
  epoch: 0,
  timestamps: { createdAt: "2026-01-01T00:00:00.000Z", startedAt: null, completedAt: null, failedAt: null },
};

export const thread: Thread = {
  schemaVersion: "1.0.0",
  id: "thread-0001",
  teamId: "demo",
  title: "Thread",
  participants: ["ann"],
  taskId: null,
  startedBy: "ann",
  createdAt: "2026-01-01T00:00:00.000Z",
  lastMessageAt: null,
  messages: 0,
};

export const teamWorker: TeamWorker = {
  teamId: "demo",
  session: "worker1",
  agentId: "worker1",
  leader: "ann",
  threadId: "thread-0001",
  socket: "/home/me/.pi/agent/tmux/demo/tmux.sock",
  cwd: "/repo",
  terminal: "t5",
  state: "working",
  since: 1,
  startedAt: 1,
};
