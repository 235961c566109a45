import { visible } from "@paneward/sdk";
import { type Exit, noteExit } from "./exit.ts";

/** A spinner line on stderr, shown once a wait takes longer than a moment. */
export interface Progress {
  /** Shows the line until `work` is done; never if stderr is not a terminal. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Sets the text of the line. */
  say(text: string): void;
  /** Clears the line so that something else can be printed; the next frame redraws it. */
  clear(): void;
  /** Turns the line off for the rest of this command. */
  silence(): void;
  readonly isShown: boolean;
}

export function openProgress(label: string, exit: Exit = noteExit): Progress {
  let isShown = exit.isTerminal;
  let text = label;
  let frame = 0;
  let drawn = false;
  let running = 0;
  let began = 0;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn) exit.writeRaw("\r\u001b[K");
    drawn = false;
  };
  const draw = () => {
    const room = Math.max(10, exit.columns - 3);
    const seconds = Math.floor(process.uptime() - began);
    const line = seconds < secondsFrom ? text : `${text} (${seconds} s)`;
    exit.writeRaw(`\r\u001b[K${frames[frame++ % frames.length]} ${[...line].slice(0, room).join("")}`);
    drawn = true;
    timer = setTimeout(draw, frameMs);
    timer.unref();
  };
  const end = () => {
    clearTimeout(timer);
    clear();
  };
  return {
    get isShown() {
      return isShown;
    },
    async during(work) {
      if (!isShown) return work();
      if (running++ === 0) {
        began = process.uptime();
        timer = setTimeout(draw, delayMs);
        timer.unref();
      }
      try {
        return await work();
      } finally {
        if (--running === 0) end();
      }
    },
    say(next) {
      text = visible(next.replace(/[\r\n\t]+/g, " "));
    },
    clear,
    silence() {
      end();
      isShown = false;
    },
  };
}

const delayMs = 300;
const frameMs = 100;
const secondsFrom = 3;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
