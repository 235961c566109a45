/** A line on stderr that says what is being waited for, once that takes longer than a moment. */
export interface Progress {
  /** Shows until the work is done. Nothing is shown when stderr is not a terminal. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What the line says from now on. */
  say(text: string): void;
  /** Takes the line away, so that something else can be printed; it comes back with the next turn. */
  clear(): void;
  /** No line for the rest of this command: it prints as it goes, or another program has the terminal. */
  silence(): void;
  readonly isShown: boolean;
}

export function openProgress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  let isShown = stream.isTTY === true;
  let text = label;
  let turns = 0;
  let drawn = false;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn) stream.write("\r\u001b[K");
    drawn = false;
  };
  const draw = () => {
    const room = Math.max(10, (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[K${frames[turns++ % frames.length]} ${[...text].slice(0, room).join("")}`);
    drawn = true;
    timer = setTimeout(draw, turnMs);
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
        timer = setTimeout(draw, patienceMs);
        timer.unref();
      }
      try {
        return await work();
      } finally {
        if (--running === 0) end();
      }
    },
    say(words) {
      text = words.replace(/[\u0000-\u001f\u007f]+/g, " ");
    },
    clear,
    silence() {
      end();
      isShown = false;
    },
  };
}

const patienceMs = 300;
const turnMs = 100;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
