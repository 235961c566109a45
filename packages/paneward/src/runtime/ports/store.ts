import type { EventData, EventType, PanewardEvent, Question } from "@paneward/sdk";
import type {
  AgentRecord,
  AuditRecord,
  DeliveryRecord,
  LoginRecord,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  TurnRecord,
  UndoRecord,
} from "../../model/records.ts";
import type { TeamStore, TeamWriter } from "./team-store.ts";
import type { WorkspaceStore } from "./workspaces.ts";

/** Changes of one transaction. None of them is stored when the work throws. */
export interface Writer {
  append<Type extends EventType>(type: Type, data: EventData[Type]): void;
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
  nextTurnId(): string;
  putTurn(turn: TurnRecord): void;
  putToken(record: TokenRecord): void;
  removeToken(id: string): void;
  putLogin(record: LoginRecord): void;
  removeLogin(id: string): void;
  putUndo(record: Omit<UndoRecord, "id">): void;
  removeUndo(id: number): void;
  audit(record: AuditRecord): void;
  readonly team: TeamWriter;
}

export interface Store {
  /** All or nothing. Listeners get the events after everything is stored. */
  write<Result>(work: (writer: Writer) => Result): Result;
  onEvents(listener: (events: readonly PanewardEvent[]) => void): () => void;
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
  turns(agent: string, limit: number): readonly TurnRecord[];
  deliveryById(id: string): DeliveryRecord | undefined;
  /** Deliveries whose end was never stored, oldest first. */
  unfinishedDeliveries(): readonly DeliveryRecord[];
  tokens(): readonly TokenRecord[];
  logins(): readonly LoginRecord[];
  undos(): readonly UndoRecord[];
  audits(limit: number): readonly AuditRecord[];
  readonly workspaces: WorkspaceStore;
  readonly team: TeamStore;
  close(): void;
}
