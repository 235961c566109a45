import type { EventData, EventType, PanewardEvent, Question } from "@paneward/sdk";
import type { NoticeRecord } from "../../model/notify/notice.ts";
import type {
  AgentRecord,
  AuditRecord,
  DeliveryRecord,
  LoginRecord,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  TrustRecord,
  TurnRecord,
  UndoRecord,
} from "../../model/records.ts";
import type { TeamStore, TeamWriter } from "./team-store.ts";
import type { WorkspaceStore } from "./workspaces.ts";

/** Changes of one transaction. None of them is stored when the work throws. */
export interface Writer {
  append<Type extends EventType>(type: Type, data: EventData[Type]): void;
  /** New ids are above this number. */
  reserve(kind: "terminal" | "task", number: number): void;
  nextTerminalId(): string;
  nextTaskId(): number;
  putTerminal(record: TerminalRecord): void;
  removeTerminal(id: string): void;
  putTask(record: TaskRecord): void;
  removeTask(id: number): void;
  putDelivery(record: DeliveryRecord): void;
  nextAgentId(): string;
  putAgent(record: AgentRecord): void;
  /** Also removes its turns. */
  removeAgent(id: string): void;
  nextQuestionId(): string;
  putQuestion(question: Question): void;
  removeQuestion(id: string): void;
  nextNoticeId(): string;
  putNotice(record: NoticeRecord): void;
  removeNotice(id: string): void;
  /** Notices are made of all events up to this one; undefined: there are no notices. */
  notified(seq: number | undefined): void;
  nextTurnId(): string;
  putTurn(turn: TurnRecord): void;
  putToken(record: TokenRecord): void;
  removeToken(id: string): void;
  putLogin(record: LoginRecord): void;
  removeLogin(id: string): void;
  putTrust(record: TrustRecord): void;
  removeTrust(repository: string): void;
  putUndo(record: Omit<UndoRecord, "id">): void;
  removeUndo(id: number): void;
  audit(record: AuditRecord): void;
  readonly team: TeamWriter;
}

export interface Room {
  /** Why nothing can be stored; undefined while it can. */
  readonly full: string | undefined;
  /** The reason is another process that holds the database's lock, not the disk. */
  readonly isBusy: boolean;
  /** How many changes wait in memory. */
  readonly waiting: number;
}

/** A copy of the database. */
export interface Backup {
  readonly path: string;
  /** When it was made. */
  readonly at: number;
}

export interface Store {
  /** For what is asked for. All or nothing: throws `storage_full` or `storage_busy` when it cannot be stored. */
  write<Result>(work: (writer: Writer) => Result): Result;
  /** For what has happened already and cannot be refused. What cannot be stored now waits in memory for `flush`. */
  keep<Result>(work: (writer: Writer) => Result): Result;
  /** Stores what waits in memory. False when that is still not possible. */
  flush(): boolean;
  room(): Room;
  /** Called when nothing can be stored any more, and when it can again. */
  onRoom(listener: (room: Room) => void): () => void;
  /** Resolves when a power cut cannot undo what was written so far. */
  settled(): Promise<void>;
  /** Removes from the files what records held before they were changed. */
  erase(): void;
  /** Whether the database's file is still at its path: others may have removed or replaced it. */
  isInPlace(): boolean;
  /** What is wrong with what is in that file; undefined if nothing is known. */
  damage(): string | undefined;
  /** Records and counters that could not be read when it was opened, and were set aside or computed again. */
  readonly unreadable: readonly string[];
  /** How many records were set aside so far. */
  setAside(): number;
  /** Puts everything at that path again; what was put there meanwhile is kept at the path that is returned. */
  putBack(): string | undefined;
  /** Newest first. */
  backups(): readonly Backup[];
  /** Makes a backup and drops the oldest. */
  backUp(): Promise<void>;
  /** When the database began empty, and when a backup was restored last; 0 for never. */
  began(): { readonly began: number; readonly repaired: number };
  /** After everything of a `write` or `keep` can be queried. */
  onEvents(listener: (events: readonly PanewardEvent[]) => void): () => void;
  /** At most so many after a number; fewer if they are long, but one at least if there is one. */
  events(after: number, limit: number): readonly PanewardEvent[];
  /** The number of the oldest event that is kept, and of the newest. */
  eventRange(): { readonly oldest: number; readonly newest: number };
  trimEvents(keep: number): number;
  trimAudit(keep: number): void;
  terminals(): readonly TerminalRecord[];
  terminal(id: string): TerminalRecord | undefined;
  tasks(): readonly TaskRecord[];
  task(id: number): TaskRecord | undefined;
  delivery(terminal: string, key: string): DeliveryRecord | undefined;
  /** The last deliveries to a terminal, newest last. */
  deliveries(terminal: string, limit: number): readonly DeliveryRecord[];
  agents(): readonly AgentRecord[];
  agent(id: string): AgentRecord | undefined;
  /** Open ones, and closed ones until they are forgotten. */
  questions(): readonly Question[];
  question(id: string): Question | undefined;
  /** Those that last, and others until they are forgotten; oldest first. */
  notices(): readonly NoticeRecord[];
  notice(id: string): NoticeRecord | undefined;
  /** The event up to which notices were made. */
  notified(): number | undefined;
  turns(agent: string, limit: number): readonly TurnRecord[];
  deliveryById(id: string): DeliveryRecord | undefined;
  /** Deliveries whose end was never stored, oldest first. */
  unfinishedDeliveries(): readonly DeliveryRecord[];
  tokens(): readonly TokenRecord[];
  logins(): readonly LoginRecord[];
  trusted(): readonly TrustRecord[];
  undos(): readonly UndoRecord[];
  audits(limit: number): readonly AuditRecord[];
  readonly workspaces: WorkspaceStore;
  readonly team: TeamStore;
  close(): void;
}
