export interface InputQueueOptions {
  readonly type: (text: string) => Promise<void>;
  /** Called once for the input that failed and all that waited behind it. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** The client is read no further while too much waits. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Nothing that still waits is typed after this. */
  readonly signal: AbortSignal;
}

export const maxWaiting = 256;
const maxCharacters = 262_144;

/**
 * What one client types, in order and one at a time. What waits is bounded: a client that types faster than tmux takes
 * it is not read meanwhile. Keys behind one that failed were typed without knowing that, so they are dropped with it.
 */
export function createInputQueue(options: InputQueueOptions): (text: string) => void {
  const { type, onFailure, signal } = options;
  let waiting: string[] = [];
  let characters = 0;
  let isTyping = false;
  let isPaused = false;
  const drop = () => {
    waiting = [];
    characters = 0;
  };
  const isFull = (share: number) => waiting.length > maxWaiting * share || characters > maxCharacters * share;
  const typeAll = async () => {
    isTyping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      characters -= next.length;
      try {
        await type(next);
      } catch (error) {
        drop();
        await onFailure(error);
      }
      if (signal.aborted) drop();
      if (isPaused && !isFull(0.5)) {
        isPaused = false;
        options.resume();
      }
    }
    isTyping = false;
  };
  return (text) => {
    if (signal.aborted) return;
    waiting.push(text);
    characters += text.length;
    if (!isTyping) void typeAll();
    if (isPaused || !isFull(1)) return;
    isPaused = true;
    options.pause();
  };
}
