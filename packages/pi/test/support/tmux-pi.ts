import { join } from "node:path";
import { type PiHome, piProgram } from "./pi-home.ts";
import { until } from "./until.ts";

/** Real pi in a terminal: a pane of the home's own tmux, with real keys and a real screen. */
export class TmuxPi {
  readonly #home: PiHome;
  readonly #session: string;

  constructor(home: PiHome, session: string, ...args: readonly string[]) {
    this.#home = home;
    this.#session = session;
    const log = join(home.folder, `${session}.err`);
    const script = 'log=$1; shift; exec "$@" 2>"$log"';
    // pi's terminal is on a server of its own: tasks go to the server of TMUX_TMPDIR, not beside pi.
    home.tmux(
      ...["-L", "terminals", "new-session", "-d", "-s", session, "-x", "120", "-y", "40", "-c", home.project],
      ...["env", "-u", "TMUX", "-u", "TMUX_PANE", "sh", "-c", script, "sh", log, piProgram, ...args],
    );
  }

  screen(): string {
    return this.#home.tmux("-L", "terminals", "capture-pane", "-p", "-S", "-200", "-t", `=${this.#session}:`);
  }

  sees(pattern: RegExp): Promise<RegExpExecArray> {
    return until(
      () => `pi shows ${pattern}:\n${this.screen()}`,
      () => pattern.exec(this.screen()),
    );
  }

  /**
   * Types into the editor and presses Enter. pi rejects input while it starts, and sets the terminal title once it
   * accepts it.
   */
  async submit(text: string): Promise<void> {
    await until(
      () => `pi has started:\n${this.screen()}`,
      () => this.#asked("#{pane_title}").startsWith("π - "),
    );
    this.#home.tmux("-L", "terminals", "send-keys", "-t", `=${this.#session}:`, "-l", "--", text);
    await until(
      () => `the editor holds ${text}:\n${this.screen()}`,
      () => this.#editor().includes(text),
    );
    this.key("Enter");
    await until(
      () => `pi takes ${text}:\n${this.screen()}`,
      () => !this.#editor().includes(text),
    );
  }

  /** The text between the two lines around the editor. */
  #editor(): string {
    const lines = this.screen().split("\n");
    const bottom = lines.findLastIndex((line) => line.startsWith("──"));
    const top = lines.slice(0, Math.max(0, bottom)).findLastIndex((line) => line.startsWith("──"));
    return lines.slice(top + 1, bottom).join("\n");
  }

  key(name: string): void {
    this.#home.tmux("-L", "terminals", "send-keys", "-t", `=${this.#session}:`, name);
  }

  pid(): number {
    return Number(this.#asked("#{pane_pid}"));
  }

  #asked(format: string): string {
    return this.#home.tmux("-L", "terminals", "display-message", "-p", "-t", `=${this.#session}:`, format);
  }

  /** Closes pi's terminal. */
  killTerminal(): void {
    this.#home.tmux("-L", "terminals", "kill-session", "-t", `=${this.#session}`);
  }
}
