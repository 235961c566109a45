import { allows, PanewardError, routes } from "@paneward/sdk";
import type { Canvas } from "./draw/canvas.ts";
import { changesBetween } from "./draw/changes.ts";
import { draw } from "./draw/draw.ts";
import { depthOf } from "./draw/style.ts";
import { initialAccess, loadAccess } from "./edge/access.ts";
import { runCall } from "./edge/calls.ts";
import type { TuiContext } from "./edge/context.ts";
import { followDaemon } from "./edge/follow.ts";
import { showLive } from "./edge/live.ts";
import { Looking } from "./edge/looking.ts";
import { pagesOf } from "./edge/pages.ts";
import { runProgramFor } from "./edge/programs.ts";
import { openScreen } from "./edge/terminal.ts";
import type { Input } from "./input/read-input.ts";
import type { Effect } from "./state/effects.ts";
import { layoutOf, tableRows } from "./state/layout.ts";
import { clampSelection, selectedRow } from "./state/lines.ts";
import { scrolledTo } from "./state/pages-keys.ts";
import { press } from "./state/press.ts";
import { refreshQuestion } from "./state/refresh-question.ts";
import { firstState, isAlive, type State } from "./state/state.ts";

/** Runs the terminal interface until the user quits. Returns an exit code. */
export async function runTui(context: TuiContext): Promise<number> {
  const tui = new Tui(context);
  return tui.run();
}

class Tui {
  readonly #context: TuiContext;
  readonly #screen = openScreen(
    (input) => this.#onInput(input),
    () => this.#onResize(),
  );
  readonly #left = Promise.withResolvers<number>();
  readonly #quit = new AbortController();
  readonly #depth;
  #state: State;
  #shown: Canvas | undefined;
  #drawing: { readonly timer: NodeJS.Timeout; readonly due: number } | undefined;
  #drawn = Number.NEGATIVE_INFINITY;
  #live: { readonly of: string; readonly stop: AbortController } | undefined;
  #focus: NodeJS.Timeout | undefined;
  #fading: NodeJS.Timeout | undefined;
  #focused: string | undefined;
  readonly #looking: Looking;

  constructor(context: TuiContext) {
    this.#context = context;
    this.#looking = new Looking(context.running);
    this.#depth = depthOf(context.env);
    this.#state = firstState(this.#screen.size, Date.now(), initialAccess(context));
  }

  async run(): Promise<number> {
    const stopListening = this.#handleSignals();
    // Ages change without any event.
    const clock = setInterval(() => this.#change({ now: Date.now() }), 1_000);
    try {
      const following = followDaemon(
        this.#context,
        () => this.#state.view,
        (view) => this.#change({ view, now: Date.now() }),
        this.#quit.signal,
      );
      // `followDaemon` reports a daemon that does not answer.
      void loadAccess(this.#context, (access) => this.#change({ access })).catch(() => undefined);
      this.#screen.enter();
      // The lists of a daemon that runs are here by then, and the first frame shows them.
      this.#drawIn(emptyMs);
      following.ended.catch((error: unknown) => this.#left.reject(error));
      return await this.#left.promise;
    } finally {
      clearInterval(clock);
      clearTimeout(this.#drawing?.timer);
      clearTimeout(this.#focus);
      clearTimeout(this.#fading);
      this.#looking.left();
      this.#quit.abort();
      this.#live?.stop.abort();
      this.#screen.leave();
      process.stdin.unref();
      stopListening();
    }
  }

  #onInput(input: Input): void {
    const { state, effects } = press(this.#state, input);
    this.#setState(state);
    this.#looking.used(selectedRow(this.#state)?.id, this.#state.access.scope);
    for (const effect of effects) void this.#do(effect);
  }

  #onResize(): void {
    this.#change({ size: this.#screen.size });
  }

  #change(part: Partial<State>): void {
    this.#setState({ ...this.#state, ...part });
  }

  #setState(next: State): void {
    const before = this.#state.message;
    this.#state = clampSelection(refreshQuestion(next), tableRows(layoutOf(next)));
    if (this.#state.message !== before) this.#fadeMessage(this.#state.message?.isFailure ?? true);
    this.#followSelected();
    this.#drawSoon();
  }

  // Success messages fade; failures stay until the next key.
  #fadeMessage(stays: boolean): void {
    clearTimeout(this.#fading);
    if (stays) return;
    this.#fading = setTimeout(() => this.#change({ message: undefined }), messageMs);
  }

  /** At once, and not more often than a person can see. */
  #drawSoon(): void {
    this.#drawIn(Math.max(0, this.#drawn + frameMs - uptimeMs()));
  }

  #drawIn(ms: number): void {
    const due = uptimeMs() + ms;
    if (this.#drawing && this.#drawing.due <= due) return;
    clearTimeout(this.#drawing?.timer);
    this.#drawing = { due, timer: setTimeout(() => this.#draw(), ms) };
  }

  #draw(): void {
    this.#drawing = undefined;
    this.#drawn = uptimeMs();
    const canvas = draw(this.#state, this.#depth);
    this.#screen.write(changesBetween(this.#shown, canvas));
    this.#shown = canvas;
  }

  // Streams only the selected terminal.
  #followSelected(): void {
    const row = selectedRow(this.#state);
    this.#sendFocus(row?.terminal === undefined ? undefined : row.id);
    const isVisible = row?.terminal !== undefined && layoutOf(this.#state).live !== undefined;
    const of = isVisible ? `${row.terminal} ${isAlive(row) ? "" : row.why.since}` : "";
    if (of === (this.#live?.of ?? "")) return;
    this.#live?.stop.abort();
    this.#live = undefined;
    if (!isVisible || row?.terminal === undefined) return;
    const stop = new AbortController();
    this.#live = { of, stop };
    void showLive(this.#context.running, row.terminal, (live) => this.#change({ live }), stop.signal);
  }

  // `attach --follow` in another terminal shows the selected row.
  #sendFocus(id: string | undefined): void {
    const { scope } = this.#state.access;
    if (id === undefined || id === this.#focused || (scope && !allows(scope, routes.focus.scope))) return;
    this.#focused = id;
    clearTimeout(this.#focus);
    this.#focus = setTimeout(() => {
      void this.#context.running.focus({ id }).catch(() => undefined);
    }, focusMs);
  }

  async #do(effect: Effect): Promise<void> {
    const { client, folder } = this.#context;
    switch (effect.kind) {
      case "quit":
        return this.#left.resolve(0);
      case "suspend":
        return this.#suspend();
      case "redraw":
        this.#shown = undefined;
        return this.#drawSoon();
      case "call":
        return this.#logged(`${effect.call.operation} …`, () => runCall(client, effect.call, folder));
      case "attach":
      case "shell":
      case "edit":
        return this.#logged(undefined, () =>
          runProgramFor(this.#context, effect.kind, effect.id, (work) => this.#withoutScreen(work)),
        );
      case "journal":
      case "diff":
        return this.#logged(undefined, async () => {
          const pages = await pagesOf(client, effect);
          this.#change({ mode: scrolledTo(this.#state, pages, pages.top) });
          return undefined;
        });
    }
  }

  async #logged(pending: string | undefined, work: () => Promise<string | undefined>): Promise<void> {
    if (pending !== undefined) this.#change({ message: { text: pending, isFailure: false } });
    try {
      const text = await work();
      if (text !== undefined) this.#log(text, false);
    } catch (error) {
      const hint = error instanceof PanewardError && error.hint ? `; ${error.hint}` : "";
      this.#log(`${(error as Error).message}${hint}`, true);
    }
  }

  #log(text: string, isFailure: boolean): void {
    const log = [...this.#state.log, { at: Date.now(), text, isFailure }].slice(-500);
    this.#change({ log, message: { text, isFailure } });
  }

  async #withoutScreen<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#screen.leave();
    try {
      return await work();
    } finally {
      this.#return();
    }
  }

  #return(): void {
    if (this.#quit.signal.aborted) return;
    this.#screen.enter();
    this.#shown = undefined;
    this.#change({ size: this.#screen.size, now: Date.now() });
  }

  // Without job control the signal has no effect; then the timer brings the interface back.
  #suspend(): void {
    this.#screen.leave();
    process.kill(0, "SIGTSTP");
    setTimeout(() => this.#return(), 50);
  }

  #handleSignals(): () => void {
    const end = (code: number) => () => this.#left.resolve(code);
    const failed = (error: unknown) => this.#left.reject(error);
    const listeners = { SIGINT: end(130), SIGTERM: end(143), SIGHUP: end(129) };
    const leave = () => this.#screen.leave();
    for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
    process.on("uncaughtException", failed).on("unhandledRejection", failed).on("exit", leave);
    return () => {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
      process.off("uncaughtException", failed).off("unhandledRejection", failed).off("exit", leave);
    };
  }
}

// The first look at `performance` loads ten modules of Node.
const uptimeMs = () => process.uptime() * 1_000;
const frameMs = 25;
const emptyMs = 50;
const focusMs = 200;
const messageMs = 6_000;
