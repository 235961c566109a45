import type { NoticeLevel, PiContext } from "../pi/api.ts";

const key = "tmux-tasks-start";

/**
 * What the person should see at a start. pi prints a restored conversation behind its notices, out of sight: in a terminal
 * they stay above the editor until the first turn, and go into the conversation then.
 */
export class StartNotice {
  readonly #ctx: PiContext;
  #shown: readonly { readonly text: string; readonly level: NoticeLevel }[] = [];

  constructor(ctx: PiContext) {
    this.#ctx = ctx;
  }

  show(text: string, level: NoticeLevel): void {
    const { hasUI, mode, ui } = this.#ctx;
    if (!hasUI) return;
    if (mode !== "tui") {
      ui.notify(text, level);
      return;
    }
    this.#shown = [...this.#shown, { text, level }];
    ui.setWidget(
      key,
      this.#shown.flatMap((one) => one.text.split("\n")),
    );
  }

  seen(): void {
    const shown = this.#shown;
    this.#shown = [];
    if (shown.length === 0) return;
    this.#ctx.ui.setWidget(key, undefined);
    for (const { text, level } of shown) this.#ctx.ui.notify(text, level);
  }
}
