import { join } from "node:path";
import type { EventType, PanewardEvent } from "@paneward/sdk";
import type { ShownQuestion } from "../../src/agents/agent.ts";
import type { AgentRecord, PanePlace, TerminalRecord } from "../../src/model/records.ts";
import { agentIn } from "../../src/runtime/agent-kind.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import { HookAnswers } from "../../src/runtime/answering/hook-answers.ts";
import type { Store } from "../../src/runtime/ports.ts";
import { applyVerdict } from "../../src/runtime/questions/apply-verdict.ts";
import { QuestionBook } from "../../src/runtime/questions/question-book.ts";
import { HookRequests } from "../../src/runtime/witnesses/hook-requests.ts";
import { openStore } from "../../src/store/store.ts";
import { AttentionStage } from "./attention-stage.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";

/** Attention, questions and agents on a real store, with a clock and screens of the test's own. */
export class WitnessStage extends AttentionStage {
  readonly store: Store;
  readonly agents: AgentBook;
  readonly questions: QuestionBook;
  readonly hookAnswers = new HookAnswers<ShownQuestion>();
  readonly requests: HookRequests;
  readonly events: PanewardEvent[] = [];

  static async on(t: Cleanup): Promise<WitnessStage> {
    return new WitnessStage(t, join(await temporaryFolder(t), "paneward.db"));
  }

  constructor(t: Cleanup, database: string) {
    super();
    const { clock, attention } = this;
    this.store = openStore(database, clock);
    afterwards(t, () => this.store.close());
    this.agents = new AgentBook(this);
    this.questions = new QuestionBook(this);
    this.requests = new HookRequests({ clock, attention, questions: this.questions, waiting: this.hookAnswers });
    attention.onChange((change) => applyVerdict(this, change));
    this.store.onEvents((events) => {
      for (const { type, data } of events) if (type === "question_closed") this.requests.closed(data.question, data.by);
    });
    this.store.onEvents((events) => this.events.push(...events));
  }

  /** Starts a program whose pane, process and folder follow from its number. */
  runs(number: number, kind: string, more: Partial<TerminalRecord> = {}): TerminalRecord {
    const { store, clock, attention } = this;
    const now = clock.now();
    const record: TerminalRecord = {
      ...{ id: `t${number}`, name: `shop-${number}`, host: "local", argv: [kind], cwd: `/shop/${number}`, env: {} },
      ...{ keep: true, columns: 80, rows: 24, session: `pw-t${number}`, journal: `/j/t${number}`, phase: "running" },
      ...{ place: this.place(number), createdAt: now, startedAt: now },
      ...more,
    };
    store.write((writer) => writer.putTerminal(record));
    attention.started(record, agentIn(store, record));
    return record;
  }

  place(number: number): PanePlace {
    return { server: "100.1", pane: `%${number}`, pid: 1_000 + number, session: `$${number}` };
  }

  /** Such a program that is in the book as an agent. */
  begins(number: number, kind: string, more: Partial<TerminalRecord> = {}): AgentRecord {
    return this.agents.began(this.runs(number, kind, more), kind, false);
  }

  /** The types of events since the last call. */
  news(...types: readonly EventType[]): readonly string[] {
    const found = this.events.splice(0).map(({ type }) => type);
    return types.length === 0 ? found : found.filter((type) => types.includes(type));
  }
}
