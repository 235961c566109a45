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

export function openProgress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  let isShown = stream.isTTY === true;
  let text = label;
  let frame = 0;
  let drawn = false;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn) stream.write("\r\u001b[K");
    drawn = false;
  };
  const draw = () => {
    const room = Math.max(10, (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[K${frames[frame++ % frames.length]} ${[...text].slice(0, room).join("")}`);
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
      text = next.replace(/[\u0000-\u001f\u007f]+/g, " ");
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
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
