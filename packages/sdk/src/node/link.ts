import type { Socket } from "node:net";
import type { Fields } from "../client.ts";
import { errorFromBody, PanewardError } from "../errors.ts";
import { Lines } from "../lines.ts";
import type { OperationName } from "../routes.ts";

/** A connection that carries any number of concurrent calls. */
export interface Link {
  readonly isOpen: boolean;
  call(name: OperationName, input: Fields, signal: AbortSignal | undefined): Promise<unknown>;
  close(): void;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: PanewardError) => void;
}

// Larger than any answer.
const maxLineLength = 256 * 1_048_576;

/** Implements the protocol of docs/http.md on an upgraded connection. Does not keep the process alive by itself. */
export function openLink(socket: Socket): Link {
  const waiting = new Map<number, Waiting>();
  const lines = new Lines(maxLineLength);
  let isOpen = true;
  let last = 0;
  let unsent = "";

  // Calls made at the same time are sent together.
  const send = (message: object) => {
    if (unsent === "") process.nextTick(flush);
    unsent += `${JSON.stringify(message)}\n`;
  };
  const flush = () => {
    socket.write(unsent);
    unsent = "";
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
  const receive = (text: string) => {
    for (const line of lines.take(text)) {
      const { id, output, ...failure } = JSON.parse(line) as { readonly id: number; readonly output?: unknown };
      if (output === undefined) end(id)?.reject(errorFromBody(failure, 0));
      else end(id)?.resolve(output);
    }
  };
  socket.on("data", (text: string) => {
    try {
      receive(text);
    } catch (error) {
      // Not a daemon: it does not speak the protocol.
      socket.destroy(error as Error);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isOpen = false;
    for (const { reject } of waiting.values()) reject(connectionLost());
    waiting.clear();
  });

  return {
    get isOpen() {
      return isOpen;
    },
    call(name, input, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(cancelled());
        if (!isOpen) return reject(connectionLost());
        const id = ++last;
        const cancel = () => {
          end(id)?.reject(cancelled());
          send({ cancel: id });
        };
        const settled = () => signal?.removeEventListener("abort", cancel);
        signal?.addEventListener("abort", cancel);
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
        send({ id, call: name, input });
      });
    },
    close: () => socket.destroy(),
  };
}

function connectionLost(): PanewardError {
  return new PanewardError("outcome_unknown", "the daemon closed the connection before it answered");
}

function cancelled(): PanewardError {
  return new PanewardError("outcome_unknown", "the call was cancelled before it was answered");
}
