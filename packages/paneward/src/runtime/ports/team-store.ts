import type { InboxEvent, Team, TeamTask, Thread, ThreadMessage } from "@paneward/sdk";
import type { WorkerRecord } from "../../model/team/worker.ts";

/** What is kept of teams. Ids of tasks and threads are unique over all teams. */
export interface TeamStore {
  teams(): readonly Team[];
  team(id: string): Team | undefined;
  tasks(team: string): readonly TeamTask[];
  task(id: string): TeamTask | undefined;
  /** The one with the newest message first. */
  threads(): readonly Thread[];
  thread(id: string): Thread | undefined;
  /** The last messages, oldest first. */
  messages(thread: string, limit: number): readonly ThreadMessage[];
  /** The threads with a message that contains this text; ignores case. */
  threadsSaying(text: string): ReadonlySet<string>;
  /** Events behind a cursor, oldest first. */
  inbox(team: string, agent: string, after: number, limit: number): readonly InboxEvent[];
  /** The last event that the agent has acknowledged. */
  seen(team: string, agent: string): number;
  workers(team?: string): readonly WorkerRecord[];
  worker(team: string, session: string): WorkerRecord | undefined;
  answer(team: string, key: string): KeptAnswer | undefined;
}

export interface TeamWriter {
  nextTaskId(): string;
  nextThreadId(): string;
  putTeam(team: Team): void;
  putTask(task: TeamTask): void;
  putThread(thread: Thread): void;
  addMessage(message: ThreadMessage): void;
  addInboxEvent(event: NewInboxEvent): void;
  putSeen(team: string, agent: string, cursor: number): void;
  putWorker(worker: WorkerRecord): void;
  keepAnswer(team: string, key: string, answer: KeptAnswer): void;
}

export type NewInboxEvent = Pick<InboxEvent, "type" | "teamId" | "agentId"> &
  Partial<Pick<InboxEvent, "taskId" | "threadId" | "actor" | "summary" | "quiet">>;

/** The result of a call with an idempotency key. The fingerprint is of what was asked. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly body: unknown;
}
