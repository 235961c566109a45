import type { Socket } from "node:net";
import type { Fields } from "../client.ts";
import { errorFromBody, PanewardError } from "../errors.ts";
import { Lines } from "../lines.ts";
import type { OperationName } from "../routes.ts";

/** A connection on which any number of calls are under way at once. */
export interface Link {
  readonly isOpen: boolean;
  call(name: OperationName, input: Fields, signal: AbortSignal | undefined): Promise<unknown>;
  close(): void;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: PanewardError) => void;
}

// Longer than any answer.
const longest = 256 * 1_048_576;

/** Speaks the protocol of docs/http.md on a connection that was upgraded to it. Keeps no program alive by itself. */
export function openLink(socket: Socket): Link {
  const waiting = new Map<number, Waiting>();
  const lines = new Lines(longest);
  let isOpen = true;
  let last = 0;
  let unsaid = "";

  // Calls that are made at the same time leave together.
  const say = (message: object) => {
    if (unsaid === "") process.nextTick(flush);
    unsaid += `${JSON.stringify(message)}\n`;
  };
  const flush = () => {
    socket.write(unsaid);
    unsaid = "";
  };
  const begin = (id: number, one: Waiting) => {
    if (waiting.size === 0) socket.ref();
    waiting.set(id, one);
  };
  const end = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) socket.unref();
    return one;
  };

  socket.unref();
  socket.setEncoding("utf8");
  const hear = (text: string) => {
    for (const line of lines.take(text)) {
      const { id, output, ...failure } = JSON.parse(line) as { readonly id: number; readonly output?: unknown };
      if (output === undefined) end(id)?.reject(errorFromBody(failure, 0));
      else end(id)?.resolve(output);
    }
  };
  socket.on("data", (text: string) => {
    try {
      hear(text);
    } catch (error) {
      // Whoever answers this is no daemon of ours.
      socket.destroy(error as Error);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isOpen = false;
    for (const { reject } of waiting.values()) reject(wentAway());
    waiting.clear();
  });

  return {
    get isOpen() {
      return isOpen;
    },
    call(name, input, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(givenUp());
        if (!isOpen) return reject(wentAway());
        const id = ++last;
        const giveUp = () => {
          end(id)?.reject(givenUp());
          say({ cancel: id });
        };
        const settled = () => signal?.removeEventListener("abort", giveUp);
        signal?.addEventListener("abort", giveUp);
        begin(id, {
          resolve: (output) => {
            settled();
            resolve(output);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        });
        say({ id, call: name, input });
      });
    },
    close: () => socket.destroy(),
  };
}

function wentAway(): PanewardError {
  return new PanewardError("outcome_unknown", "the daemon went away before it had answered");
}

function givenUp(): PanewardError {
  return new PanewardError("outcome_unknown", "the call was given up before it was answered");
}
