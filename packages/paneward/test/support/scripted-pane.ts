import { PanewardError } from "@paneward/sdk";
import { checkKey } from "@paneward/tmux";
import type { PanePlace } from "../../src/model/records.ts";
import type {
  Listening,
  PaneInput,
  PressingOptions,
  ScreenLook,
  TerminalNews,
  Terminals,
  TypingOptions,
} from "../../src/runtime/ports.ts";
import type { FakeClock } from "./fake-clock.ts";

/** A pane without tmux, on a fake clock: an agent that looks like Claude Code, or lines of a plain program. */
export class ScriptedPane {
  readonly place: PanePlace = { server: "1.1", pane: "%1", pid: 7, session: "$1" };
  /** What the program was given by Enter, and what a dialog was answered. */
  readonly prompts: string[] = [];
  readonly answers: string[] = [];
  /** All that reached the pane, with its time since the start. */
  readonly got: string[] = [];
  mark: string | undefined;
  /** What the kernel says of its terminal. */
  listening: Listening = { reads: "yes", hidden: false, raw: false };
  draft = "";
  inMode = false;
  ended = false;
  /** The screen is caught between two frames. */
  torn = false;
  /** A resize makes it draw its screen as it should be. */
  redraws = false;
  /** So long typed text takes to be drawn. */
  drawMs = 0;
  /** What is typed never appears, or what is pressed changes nothing. */
  deaf = false;
  silent = false;
  /** So many times Enter is taken for a part of the paste. */
  swallows = 0;
  /** The lines of a plain program instead of the agent's. */
  plain: readonly string[] | undefined;
  /** What it draws around its draft, instead of what Claude Code does; and its terminal's title. */
  draws: ((draft: string) => readonly string[]) | undefined;
  title = "";
  /** The connection breaks at the next input, before or after tmux had it. */
  breaks: "before" | "after" | undefined;
  /** Called with what the program was given by Enter. */
  onPrompt = (_text: string) => {};
  /** It works, and shows that. */
  working = false;
  /** Called before each look. */
  onLook = () => {};
  #dialog: { readonly command: string; readonly since: number } | undefined;
  readonly #listeners = new Set<(news: TerminalNews) => void>();
  readonly #clock: FakeClock;
  readonly #began: number;

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  /** The command that its dialog asks about; undefined when none is open. */
  get dialog(): string | undefined {
    return this.#dialog?.command;
  }

  set dialog(command: string | undefined) {
    this.#dialog = command === undefined ? undefined : { command, since: this.#clock.monotonic() };
    this.print();
  }

  print(): void {
    if (this.silent) return;
    for (const listener of this.#listeners) listener({ kind: "output", place: this.place, old: false });
  }

  get terminals(): Terminals {
    const port: Pick<Terminals, "look" | "listens" | "lastMark" | "redraw" | "checkKeys" | "onNews"> = {
      look: async () => {
        this.onLook();
        return this.look();
      },
      listens: async () => this.listening,
      lastMark: async () => this.mark,
      redraw: async () => {
        this.got.push(`${this.#passed()} is redrawn`);
        if (!this.redraws) return;
        this.torn = false;
        this.print();
      },
      checkKeys: (keys) => keys.map(checkKey),
      onNews: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
    return port as Terminals;
  }

  get input(): PaneInput {
    return {
      type: (_host, _place, text, options) => this.#reach(options, () => this.#typed(text, options)),
      press: async (_host, _place, keys, options) => {
        for (const [at, key] of keys.entries()) {
          if (at > 0) await options.pause();
          await this.#reach(options, () => this.#pressed(key));
        }
      },
      raw: (_host, _place, bytes) => this.#reach({}, () => this.#typed(bytes, {})),
      clear: async () => {},
    };
  }

  async #reach({ mark }: TypingOptions | PressingOptions, arrive: () => void): Promise<void> {
    if (this.ended) throw new PanewardError("wrong_state", "the program has ended; nothing was typed");
    if (this.inMode) throw new PanewardError("wrong_state", "it is in copy mode; nothing was typed");
    const { breaks } = this;
    this.breaks = undefined;
    if (breaks !== "before") {
      if (mark !== undefined) this.mark = mark;
      arrive();
      this.print();
    }
    if (breaks) throw new PanewardError("outcome_unknown", "the connection broke");
  }

  #typed(text: string, { paste, before = "", keys = [] }: TypingOptions): void {
    const around = [...(before === "" ? [] : [`behind ${before}`]), ...(keys.length === 0 ? [] : [keys.join(" ")])];
    const [how, ...more] = [paste === "if asked" ? "pastes if asked" : paste ? "pastes" : "types", ...around];
    this.got.push(`${this.#passed()} ${how} ${text}${more.map((one) => `, ${one}`).join("")}`);
    if (this.deaf) return;
    const draw = () => {
      this.draft += before + text;
      for (const key of keys) this.#edited(key);
    };
    if (this.drawMs === 0) draw();
    else
      this.#clock.timer(this.drawMs, () => {
        draw();
        this.print();
      });
  }

  #edited(key: string): void {
    if (key === "DC") this.draft = this.draft.slice(1);
    if (key === "Space") this.draft += " ";
  }

  #pressed(key: string): void {
    this.got.push(`${this.#passed()} ${key}`);
    if (this.deaf) return;
    if (this.#dialog) this.#answered(key, this.#dialog.since);
    else if (key === "Enter") {
      if (this.swallows-- > 0) return;
      const text = this.draft;
      this.prompts.push(text);
      this.draft = "";
      this.onPrompt(text);
    } else if (key === "BSpace") this.draft = this.draft.slice(0, -1);
    else if (key === "Escape") this.draft = "";
    else this.draft += key;
  }

  // Its dialogs take no key in their first 0.6 s; what comes too early lands in the input line.
  #answered(key: string, since: number): void {
    if (this.#clock.monotonic() - since < 600) this.draft += key;
    else {
      this.answers.push(key);
      this.#dialog = undefined;
    }
  }

  look(): ScreenLook {
    const { lines, column } = this.#screen();
    const cursor = { row: lines.length - 1, column };
    return {
      lines,
      columns: 100,
      rows: 30,
      cursor,
      title: this.title,
      inMode: this.inMode,
      scrolled: 0,
      alternate: false,
    };
  }

  #screen(): { readonly lines: readonly string[]; readonly column: number } {
    if (this.plain) return { lines: this.plain, column: this.plain.at(-1)?.length ?? 0 };
    if (this.draws && !this.#dialog) return { lines: this.draws(this.draft), column: 0 };
    if (this.torn) return { lines: [" Claude Code"], column: 0 };
    if (this.#dialog) return { lines: dialogLines(this.#dialog.command), column: 0 };
    return {
      lines: [rule, `❯ ${this.draft}`, rule, this.working ? "  esc to interrupt" : "  ? for shortcuts"],
      column: 0,
    };
  }

  #passed(): number {
    return this.#clock.monotonic() - this.#began;
  }
}

const rule = "─".repeat(100);
const dashes = "╌".repeat(100);

function dialogLines(command: string): readonly string[] {
  const options = [" ❯ 1. Yes", "   2. Yes, and always allow it", "   3. No"];
  const lines = command.split("\n");
  const rows = lines.map((line) => (lines.length > 1 ? ` │ ${line}` : ` ${line}`).trimEnd());
  return [rule, " Bash command", " Runs it", dashes, ...rows, dashes, " Do you want to proceed?", ...options];
}
