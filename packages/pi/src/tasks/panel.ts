import { cutTo, oneLine, widthOf } from "@paneward/sdk/text";
import type { PiComponent, PiContext, PiKeys, PiTheme, PiTui } from "../pi/api.ts";
import type { Conversation } from "./conversation.ts";
import { killTask, stateOf } from "./kill.ts";
import type { TaskSnapshot } from "./snapshot.ts";
import { lastLines } from "./words.ts";

/** Shows the list of tasks over the conversation, until the user closes it. */
export function openPanel(conversation: Conversation, ctx: PiContext): Promise<void> {
  return ctx.ui.custom<void>((tui, theme, keys, done) => new Panel(conversation, tui, theme, keys, done), {
    overlay: true,
  });
}

type View = "list" | "details" | "confirm";

class Panel implements PiComponent {
  readonly #conversation: Conversation;
  readonly #tui: PiTui;
  readonly #theme: PiTheme;
  readonly #keys: PiKeys;
  readonly #done: () => void;
  readonly #unsubscribe: () => void;
  #view: View = "list";
  #chosen: string | undefined;
  #error = "";

  constructor(conversation: Conversation, tui: PiTui, theme: PiTheme, keys: PiKeys, done: () => void) {
    this.#conversation = conversation;
    this.#tui = tui;
    this.#theme = theme;
    this.#keys = keys;
    this.#done = done;
    this.#unsubscribe = conversation.onChange(() => tui.requestRender());
  }

  render(width: number): string[] {
    const task = this.#task();
    const body =
      task === undefined
        ? ["no tasks"]
        : this.#view === "details"
          ? details(task)
          : this.#list(this.#conversation.tasks);
    const footer = this.#view === "confirm" && task ? `end ${task.windowName}? y/n` : this.#help();
    const inner = Math.max(0, width - 4);
    const row = (line: string, paint = (text: string) => text) => {
      const text = cutTo(oneLine(line), inner);
      return `${this.#frame("│")} ${paint(text)}${" ".repeat(Math.max(0, inner - widthOf(text)))} ${this.#frame("│")}`;
    };
    return [
      this.#frame(`╭${"─".repeat(inner + 2)}╮`),
      row(`tmux tasks · ${this.#conversation.session}`, (text) => this.#theme.bold(text)),
      ...body.map((line) => row(line)),
      ...(this.#error === "" ? [] : [row(this.#error, (text) => this.#theme.fg("warning", text))]),
      row(footer, (text) => this.#theme.fg("dim", text)),
      this.#frame(`╰${"─".repeat(inner + 2)}╯`),
    ];
  }

  handleInput(data: string): void {
    this.#error = "";
    if (this.#view === "confirm") this.#answer(data);
    else if (this.#keys.matches(data, "tui.select.cancel")) this.#back();
    else if (this.#keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (this.#keys.matches(data, "tui.select.down")) this.#move(1);
    else if (this.#keys.matches(data, "tui.select.confirm")) this.#view = "details";
    else if (data === "r") this.#act(() => this.#conversation.refresh());
    else if (data === "k" && this.#task()) this.#view = "confirm";
    this.#tui.requestRender();
  }

  invalidate(): void {}

  dispose(): void {
    this.#unsubscribe();
  }

  #task(): TaskSnapshot | undefined {
    const { tasks } = this.#conversation;
    return tasks.find(({ windowId }) => windowId === this.#chosen) ?? tasks[0];
  }

  #at(tasks: readonly TaskSnapshot[]): number {
    const task = this.#task();
    return task ? tasks.indexOf(task) : -1;
  }

  #list(tasks: readonly TaskSnapshot[]): readonly string[] {
    const at = this.#at(tasks);
    const first = Math.max(0, Math.min(at - 5, tasks.length - maxRows));
    const after = tasks.length - first - maxRows;
    const shown = tasks.slice(first, first + maxRows).map((task) => {
      const row = `${task === tasks[at] ? "›" : " "} ${task.windowId.padEnd(5)} ${task.windowName.padEnd(20)} `;
      const [last = ""] = lastLines(task.outputPreview ?? "", 1);
      return `${row}${stateOf(task).padEnd(12)} ${task.taskCommand ?? task.currentCommand ?? ""}  ${last}`.trimEnd();
    });
    return [...(first > 0 ? [`  ↑ ${first} more`] : []), ...shown, ...(after > 0 ? [`  ↓ ${after} more`] : [])];
  }

  #frame(line: string): string {
    return this.#theme.fg("accent", line);
  }

  #help(): string {
    return this.#view === "details"
      ? "r refresh · k kill · esc back"
      : "↑↓ choose · enter details · r refresh · k kill · esc close";
  }

  #answer(data: string): void {
    const task = this.#task();
    this.#view = "list";
    if (data === "y" && task) this.#act(() => killTask(this.#conversation, task));
  }

  #back(): void {
    if (this.#view === "details") this.#view = "list";
    else {
      this.#unsubscribe();
      this.#done();
    }
  }

  #move(by: number): void {
    const { tasks } = this.#conversation;
    const at = this.#at(tasks);
    this.#chosen = tasks[Math.max(0, Math.min(tasks.length - 1, at + by))]?.windowId;
  }

  #act(work: () => Promise<void>): void {
    work()
      .catch((error: Error) => {
        this.#error = error.message;
      })
      .finally(() => this.#tui.requestRender());
  }
}

const maxRows = 10;

function details(task: TaskSnapshot): readonly string[] {
  return [
    `${task.windowId} ${task.windowName}: ${stateOf(task)}`,
    `command: ${task.taskCommand ?? task.currentCommand ?? "?"}`,
    `cwd: ${task.taskCwd ?? "?"}`,
    ...lastLines(task.outputPreview ?? "", 8).map((line) => `  ${line}`),
  ];
}
