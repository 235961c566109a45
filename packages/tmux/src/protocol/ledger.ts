import type { Hint, News } from "./events.ts";
import type { Exit, PaneRow } from "./formats.ts";
import type { PaneId, SessionId, WindowId } from "./names.ts";

/** One fact about the server. Each is emitted exactly once. */
export type TmuxEvent =
  | { readonly kind: "pane_died"; readonly pane: PaneId; readonly pid: number; readonly exit: Exit }
  | { readonly kind: "bell"; readonly window: WindowId; readonly count: number }
  | { readonly kind: "session_opened"; readonly session: SessionId; readonly name: string }
  | { readonly kind: "session_closed"; readonly session: SessionId; readonly name: string }
  | { readonly kind: "window_opened"; readonly window: WindowId }
  | { readonly kind: "window_closed"; readonly window: WindowId }
  | { readonly kind: "journal_reopened"; readonly pane: PaneId }
  | { readonly kind: "server_lost"; readonly reason: string };

/** Late reports about an earlier program in the same pane must not look new. */
const maxRememberedPids = 8;

/**
 * What has been reported already. Hooks, listings and exit marks in journals report the same facts; the ledger turns
 * the first report of each into an event and drops the rest.
 */
export class Ledger {
  readonly #sessions = new Map<SessionId, string>();
  readonly #windows = new Set<WindowId>();
  readonly #bells = new Map<WindowId, number>();
  /** The programs (by pid) whose end was reported, per pane. A pane runs a new program after a respawn. */
  readonly #reportedDead = new Map<PaneId, number[]>();
  /** Reported panes that the last listing lacked. That listing may be older than the report; the next one is not. */
  #missing = new Set<PaneId>();

  #serial: number;

  /** The state when watching began is not news. */
  constructor(rows: readonly PaneRow[], serial: number) {
    this.#serial = serial;
    this.listing(rows);
  }

  hints(hints: readonly Hint[]): readonly TmuxEvent[] {
    return hints.flatMap(({ serial, news }) => {
      if (serial <= this.#serial) return [];
      this.#serial = serial;
      return this.#news(news);
    });
  }

  died(pane: PaneId, pid: number, exit: Exit): readonly TmuxEvent[] {
    const reported = this.#reportedDead.get(pane) ?? [];
    if (reported.includes(pid)) return [];
    this.#reportedDead.set(pane, [...reported, pid].slice(-maxRememberedPids));
    return [{ kind: "pane_died", pane, pid, exit }];
  }

  /** A full listing is complete: a pane it lacks is gone. */
  listing(rows: readonly PaneRow[]): readonly TmuxEvent[] {
    const sessions = new Map(rows.map((row) => [row.session, row.sessionName]));
    const windows = new Map(rows.map((row) => [row.window, row.bells]));
    this.#forgetPanesBut(new Set(rows.map((row) => row.pane)));
    return [
      ...[...sessions].flatMap(([session, name]) => this.#sessionOpened(session, name)),
      ...[...windows.keys()].flatMap((window) => this.#windowOpened(window)),
      ...[...windows].flatMap(([window, bells]) => this.#bell(window, bells)),
      ...rows.flatMap((row) => (row.exit ? this.died(row.pane, row.pid, row.exit) : [])),
      ...[...this.#windows].filter((window) => !windows.has(window)).flatMap((window) => this.#windowClosed(window)),
      ...[...this.#sessions.keys()]
        .filter((session) => !sessions.has(session))
        .flatMap((session) => this.#sessionClosed(session)),
    ];
  }

  #forgetPanesBut(there: ReadonlySet<PaneId>): void {
    const missing = [...this.#reportedDead.keys()].filter((pane) => !there.has(pane));
    for (const pane of missing) if (this.#missing.has(pane)) this.#reportedDead.delete(pane);
    this.#missing = new Set(missing);
  }

  #news(news: News): readonly TmuxEvent[] {
    switch (news.kind) {
      case "died":
        return news.exit ? this.died(news.pane, news.pid, news.exit) : [];
      case "bell":
        return this.#bell(news.window, news.bells);
      case "session_opened":
        return this.#sessionOpened(news.session, news.name);
      case "session_closed":
        return this.#sessionClosed(news.session);
      case "window_opened":
        return this.#windowOpened(news.window);
      case "window_closed":
        return this.#windowClosed(news.window);
    }
  }

  #bell(window: WindowId, bells: number): readonly TmuxEvent[] {
    if (bells <= (this.#bells.get(window) ?? 0)) return [];
    this.#bells.set(window, bells);
    return [{ kind: "bell", window, count: bells }];
  }

  #sessionOpened(session: SessionId, name: string): readonly TmuxEvent[] {
    const known = this.#sessions.has(session);
    this.#sessions.set(session, name);
    return known ? [] : [{ kind: "session_opened", session, name }];
  }

  #sessionClosed(session: SessionId): readonly TmuxEvent[] {
    const name = this.#sessions.get(session);
    if (name === undefined) return [];
    this.#sessions.delete(session);
    return [{ kind: "session_closed", session, name }];
  }

  #windowOpened(window: WindowId): readonly TmuxEvent[] {
    if (this.#windows.has(window)) return [];
    this.#windows.add(window);
    return [{ kind: "window_opened", window }];
  }

  #windowClosed(window: WindowId): readonly TmuxEvent[] {
    if (!this.#windows.delete(window)) return [];
    this.#bells.delete(window);
    return [{ kind: "window_closed", window }];
  }
}
