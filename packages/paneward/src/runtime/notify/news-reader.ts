import type { PanewardEvent } from "@paneward/sdk";
import { type News, newsOf } from "../../model/notify/news.ts";
import type { Fact } from "../../model/notify/notice.ts";
import { routeOf } from "../../model/notify/rules.ts";
import type { World } from "../world.ts";
import { daemonWasAway } from "./absence.ts";
import type { NoticeBook } from "./book.ts";
import type { NotifyChannels } from "./channels.ts";
import { lookupIn } from "./lookup.ts";

export interface NewsReaderDeps extends Pick<World, "log" | "store"> {
  readonly channels: NotifyChannels;
  readonly book: NoticeBook;
  /** There is news, which may be due. */
  readonly told: () => void;
}

/** Reads the event log, each event once and in order, and puts what is news into the book. */
export class NewsReader {
  readonly #deps: NewsReaderDeps;
  /** Events that came before others with lower numbers: a listener before this one wrote more. */
  #early: readonly PanewardEvent[] = [];
  /** The last event that notices were made of, and the last one for which that is stored. */
  #last = 0;
  #stored = 0;

  constructor(deps: NewsReaderDeps) {
    this.#deps = deps;
  }

  /** Reads what happened since notices were made last, until now. */
  catchUp(): void {
    const { store, book } = this.#deps;
    const { oldest, newest } = store.eventRange();
    const from = store.notified() ?? newest;
    this.#last = Math.min(from, newest);
    // Events that are gone: what they said is in the records.
    if (from + 1 < oldest) this.#note(this.#standingNews());
    for (;;) {
      const page = store.events(this.#last, 1_000);
      if (page.length === 0) break;
      this.#take(page);
    }
    book.take([], this.#last, () => false);
    this.#stored = this.#last;
  }

  /** The daemon was gone without having stopped by itself; these channels show that already. */
  wasAway(shownBy: readonly string[]): void {
    this.#note([{ kind: "stands", fact: { ...daemonWasAway, ...(shownBy.length === 0 ? {} : { shownBy }) } }]);
  }

  receive(events: readonly PanewardEvent[]): void {
    if (!this.#deps.channels.areConfigured) return;
    const all = [...this.#early, ...events]
      .filter(({ seq }) => seq > this.#last)
      .sort((one, other) => one.seq - other.seq);
    const inOrder = all.filter(({ seq }, index) => seq === this.#last + 1 + index);
    this.#early = all.slice(inOrder.length);
    if (inOrder.length > 0) this.#take(inOrder);
  }

  #standingNews(): readonly News[] {
    const { store, book } = this.#deps;
    const lookup = lookupIn(store);
    const opened = store
      .questions()
      .filter(({ state }) => state !== "closed")
      .flatMap((question) => newsOf({ seq: 0, at: 0, type: "question_opened", data: { question } }, lookup));
    const known = new Set(book.all().flatMap(({ state, fact }) => (state === "over" ? [] : [fact.key])));
    const gone = book.all().flatMap(({ state, fact }) => {
      if (state === "over" || fact.question === undefined) return [];
      const question = store.question(fact.question);
      return question && question.state !== "closed" ? [] : [fact.key];
    });
    return [
      { kind: "over", keys: gone, why: "it was closed", answered: false },
      ...opened.filter((one) => one.kind !== "stands" || !known.has(one.fact.key)),
    ];
  }

  #take(events: readonly PanewardEvent[]): void {
    const lookup = lookupIn(this.#deps.store);
    this.#last = events.at(-1)?.seq ?? this.#last;
    this.#note(events.flatMap((event) => newsOf(event, lookup)));
  }

  /** Stores what news mean, with the number of the last event; that alone only now and then. */
  #note(news: readonly News[]): void {
    const { log, book, told } = this.#deps;
    if (news.length === 0 && this.#last - this.#stored < storeEvery) return;
    try {
      book.take(news, this.#last, (fact) => this.#isWanted(fact));
      this.#stored = this.#last;
    } catch (error) {
      log.error("a notice could not be stored", { error: String(error) });
    }
    if (news.length > 0) told();
  }

  #isWanted(fact: Fact): boolean {
    const { config } = this.#deps.channels;
    return config !== undefined && routeOf(config, fact) !== undefined;
  }
}

/** How many events without news may have to be read again after a restart. */
const storeEvery = 1_000;
