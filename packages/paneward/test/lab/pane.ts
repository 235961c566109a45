import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../support/until.ts";

export interface Shown {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly cursor?: { readonly row: number; readonly column: number };
  readonly title: string;
}

export interface PaneSpec {
  readonly socket: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
}

/** A program in a tmux pane of the lab's own server, driven by keys and read from its screen. */
export class Pane {
  readonly #socket: string;

  constructor({ socket, argv, env, cwd, columns, rows }: PaneSpec) {
    this.#socket = socket;
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux("new-session", "-d", "-s", "lab", "-n", "lab", ...size, "-c", cwd, ...variables, ...argv);
    this.#tmux("set", "-g", "remain-on-exit", "on");
    this.#tmux("set", "-g", "window-size", "manual");
  }

  /** Brings text and Enter apart from each other, as a person would. Pasted: Gemini takes a typed `?` for a key. */
  async say(text: string): Promise<void> {
    this.paste(text);
    await this.#drawn(text);
    // Codex and Gemini take an Enter that follows a paste at once for a new line.
    await delay(400);
    this.press("Enter");
  }

  /** Types and waits until the screen shows the text's end. */
  async draft(text: string): Promise<void> {
    this.type(text);
    await this.#drawn(text);
  }

  async #drawn(text: string): Promise<void> {
    const end = text.trimEnd().slice(-8);
    await this.until(`"${end}" is in the input line`, ({ lines }) => {
      return flat(lines).includes(flat([end])) || /\[Pasted/.test(lines.join("\n"));
    });
  }

  type(text: string): void {
    this.#tmux("send-keys", "-t", "lab", "-l", text);
  }

  paste(text: string): void {
    spawnSync("tmux", ["-S", this.#socket, "load-buffer", "-b", "lab", "-"], { input: text });
    this.#tmux("paste-buffer", "-p", "-d", "-b", "lab", "-t", "lab");
  }

  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", "lab", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-t", "lab", "-x", String(columns), "-y", String(rows));
  }

  look(): Shown {
    const format = "#{pane_width}\t#{cursor_flag}\t#{cursor_y}\t#{cursor_x}\t#{pane_title}";
    const [columns = "80", visible, row, column, title = ""] = this.#tmux("display", "-p", "-t", "lab", format)
      .trimEnd()
      .split("\t");
    const lines = this.#tmux("capture-pane", "-p", "-t", "lab").replace(/\n$/, "").split("\n");
    const cursor = visible === "1" ? { cursor: { row: Number(row), column: Number(column) } } : {};
    return { lines, columns: Number(columns), title, ...cursor };
  }

  async until(what: string, condition: (shown: Shown) => boolean): Promise<Shown> {
    try {
      return await until(what, () => {
        const shown = this.look();
        return condition(shown) && shown;
      });
    } catch (error) {
      throw new Error(`${(error as Error).message}; the screen was:\n${this.look().lines.join("\n")}`);
    }
  }

  shows(pattern: RegExp): Promise<Shown> {
    return this.until(`the screen shows ${pattern}`, ({ lines }) => pattern.test(lines.join("\n")));
  }

  hides(pattern: RegExp): Promise<Shown> {
    return this.until(`the screen no longer shows ${pattern}`, ({ lines }) => !pattern.test(lines.join("\n")));
  }

  close(): void {
    const pid = Number(this.#tmux("display", "-p", "-t", "lab", "#{pane_pid}"));
    this.#tmux("kill-server");
    // Gemini and opencode outlive their window.
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended with its window.
    }
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout;
  }
}

function flat(lines: readonly string[]): string {
  return lines.join("").replaceAll(/\s|[│┃|]/g, "");
}
