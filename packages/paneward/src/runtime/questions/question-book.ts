import { PanewardError, type Question } from "@paneward/sdk";
import { askedWords } from "@paneward/sdk/view";
import type { TerminalRecord } from "../../model/records.ts";
import { type IdentifiedQuestion, proofOf } from "../attention/question-identity.ts";
import type { Store } from "../ports.ts";
import { SteadyDates, type Times } from "../steady-time.ts";
import { isSameQuestion, looksDifferent, withNews } from "./same-question.ts";

/** How a question ends that another one follows at once. */
export const tookItsPlace = "another question took its place";

/** The questions that programs ask, each opened once and closed once. A terminal has at most one open. */
export class QuestionBook {
  readonly #store: Store;
  readonly #clock: Times;
  readonly #dates: SteadyDates;

  constructor(ports: { readonly store: Store; readonly clock: Times }) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#dates = new SteadyDates(ports.clock);
  }

  /** The question that is open in a terminal now, also while it is being answered. */
  of(terminal: string): Question | undefined {
    return this.#store.questions().find((one) => one.terminal === terminal && one.state !== "closed");
  }

  open(): readonly Question[] {
    return this.#store.questions().filter(({ state }) => state !== "closed");
  }

  /** When it opened, in monotonic time. */
  openedAt({ id, openedAt }: Question): number {
    return this.#dates.at(`${id} opened`, openedAt);
  }

  /** When its dialog was drawn, in monotonic time; when it opened, if it has none. */
  drawnAt({ id, drawnAt, openedAt }: Question): number {
    return this.#dates.at(`${id} drawn`, drawnAt ?? openedAt);
  }

  /** When it closed, in monotonic time; undefined while it is open. */
  closedAt({ id, closedAt }: Question): number | undefined {
    return closedAt === undefined ? undefined : this.#dates.at(`${id} closed`, closedAt);
  }

  /** A terminal asks this. Returns the question if it is a new one. */
  asked(
    terminal: TerminalRecord,
    shown: IdentifiedQuestion,
    source: string,
    agent: string | undefined,
  ): Question | undefined {
    const openQuestion = this.of(terminal.id);
    if (openQuestion && isSameQuestion(openQuestion, shown)) {
      const changed = withNews(openQuestion, shown, this.#clock.now());
      if (!changed) return undefined;
      this.drawnAt(changed);
      this.#store.keep((writer) => {
        writer.putQuestion(changed);
        if (looksDifferent(openQuestion, changed)) writer.append("question_changed", { question: changed });
      });
      return undefined;
    }
    if (openQuestion) this.close(terminal.id, tookItsPlace);
    return this.#opened(terminal, shown, source, agent);
  }

  /** The terminal no longer asks. Returns what was closed. */
  close(terminal: string, by: string): Question | undefined {
    const openQuestion = this.of(terminal);
    if (!openQuestion) return undefined;
    const how =
      openQuestion.state === "answering" && openQuestion.closedBy ? `answered by ${openQuestion.closedBy}` : by;
    const closed: Question = { ...openQuestion, state: "closed", closedAt: this.#clock.now(), closedBy: how };
    this.#store.keep((writer) => {
      writer.putQuestion(closed);
      writer.append("question_closed", { question: closed, by: how });
    });
    this.closedAt(closed);
    return closed;
  }

  /** It is being answered: from now on no other answer is taken. */
  answering(id: string, by: string): Question {
    const question = this.#store.question(id);
    if (question?.state !== "open") {
      const why = question ? `the question ${id} is already ${question.state}` : `there is no question ${id}`;
      throw new PanewardError(question ? "conflict" : "not_found", why, {
        hint: "`paneward ps` shows the questions that are open now",
      });
    }
    const taken: Question = { ...question, state: "answering", closedBy: by };
    this.#store.write((writer) => writer.putQuestion(taken));
    return taken;
  }

  /** The answer could not be given: the question is open again. */
  release(id: string): void {
    const question = this.#store.question(id);
    if (question?.state !== "answering") return;
    const { closedBy: _by, ...rest } = question;
    this.#store.keep((writer) => writer.putQuestion({ ...rest, state: "open" }));
  }

  #opened(terminal: TerminalRecord, shown: IdentifiedQuestion, source: string, agent: string | undefined): Question {
    const task = terminal.task === undefined ? undefined : this.#store.task(terminal.task);
    const now = this.#clock.now();
    const opened = this.#store.keep((writer) => {
      const question: Question = {
        id: writer.nextQuestionId(),
        terminal: terminal.id,
        ...(task === undefined ? {} : { task: task.id }),
        ...(agent === undefined ? {} : { agent }),
        kind: shown.kind,
        text: shown.text,
        options: [...shown.options],
        freeText: shown.freeText,
        ...(shown.unverified ? { unverified: true } : {}),
        ...(shown.proposal === undefined ? {} : { proposal: shown.proposal }),
        ...proofOf(shown),
        ...(shown.request === undefined ? {} : { request: shown.request }),
        source,
        screenHash: shown.hash,
        state: "open",
        openedAt: now,
        ...(shown.hash === "" ? {} : { drawnAt: now }),
      };
      writer.putQuestion(question);
      writer.append("question_opened", { question });
      if (task) {
        const { id, slug } = task;
        writer.append("task_needs_input", { task: id, slug, question: question.id, text: askedWords(question) });
      }
      return question;
    });
    this.openedAt(opened);
    this.drawnAt(opened);
    return opened;
  }
}
