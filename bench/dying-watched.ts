import { join } from "node:path";
import {
  killSession,
  openJournal,
  openSession,
  type PaneId,
  readJournal,
  type TmuxEvent,
  type Watcher,
} from "@paneward/tmux";
import type { Arena } from "./arena.ts";
import { type Death, dyingProgram, judge, patienceMs, wallClock } from "./dying.ts";

type News = { readonly at: number; readonly code: number };

/** Exits reported by the driver: the watcher's event, and the journal's output at that moment. */
export class WatchedEnds {
  readonly #arena: Arena;
  readonly #watcher: Watcher;
  readonly #received = new Map<PaneId, PromiseWithResolvers<News | undefined>>();

  constructor(arena: Arena, watcher: Watcher) {
    this.#arena = arena;
    this.#watcher = watcher;
    this.#listen();
  }

  async one(): Promise<Death> {
    const { server, folder, name: newName } = this.#arena;
    const name = newName();
    const journal = await openJournal(server.files, join(folder, name));
    const file = join(folder, `${name}.time`);
    const { pane } = await openSession(server, { name, argv: dyingProgram(file), journal });
    this.#watcher.addJournal(pane, journal);
    const timer = setTimeout(() => this.#newsOf(pane).resolve(undefined), patienceMs);
    const news = await this.#newsOf(pane).promise;
    clearTimeout(timer);
    const output = (await readJournal(journal, undefined, 65_536)).bytes.toString();
    this.#watcher.removeJournal(pane);
    await killSession(server, name);
    return judge(news, file, output);
  }

  async #listen(): Promise<void> {
    for await (const event of this.#watcher) this.#receive(event);
  }

  #receive(event: TmuxEvent): void {
    if (event.kind !== "pane_died") return;
    const code = event.exit.kind === "exited" ? event.exit.code : -1;
    this.#newsOf(event.pane).resolve({ at: wallClock(), code });
  }

  #newsOf(pane: PaneId): PromiseWithResolvers<News | undefined> {
    const news = this.#received.get(pane) ?? Promise.withResolvers();
    this.#received.set(pane, news);
    return news;
  }
}
