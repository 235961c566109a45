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
    const edge = "─".repeat(Math.max(0, width));
    const footer = this.#view === "confirm" && task ? `end ${task.windowName}? y/n` : this.#help();
    const error = this.#error === "" ? [] : [this.#theme.fg("warning", fit(this.#error, width))];
    return [
      this.#theme.fg("accent", edge),
      this.#theme.bold(fit(`tmux tasks · ${this.#conversation.session}`, width)),
      ...body.map((line) => fit(line, width)),
      ...error,
      this.#theme.fg("dim", fit(footer, width)),
      this.#theme.fg("accent", edge),
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
    return tasks.slice(first, first + maxRows).map((task) => {
      const row = `${task === tasks[at] ? "›" : " "} ${task.windowId.padEnd(5)} ${task.windowName.padEnd(20)} `;
      const [last = ""] = lastLines(task.outputPreview ?? "", 1);
      return `${row}${stateOf(task).padEnd(12)} ${task.taskCommand ?? task.currentCommand ?? ""}  ${last}`.trimEnd();
    });
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

/** Cuts at the width, counting wide characters as two; control characters would move the cursor. */
function fit(line: string, width: number): string {
  let left = width;
  let text = "";
  for (const sign of line.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")) {
    left -=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        sign,
      )
        ? 2
        : 1;
    if (left < 0) break;
    text += sign;
  }
  return text;
}
