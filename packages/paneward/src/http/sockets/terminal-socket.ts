import { allows, PanewardError, systemFailure } from "@paneward/sdk";
import { z } from "zod";
import type { Caller } from "../../runtime/calls.ts";
import { type StreamDeps, type StreamFrame, terminalFrames } from "../../runtime/output/terminal-stream.ts";
import type { QuestionBook } from "../../runtime/questions/question-book.ts";
import { resolveTerminal } from "../../runtime/resolve.ts";
import type { ClientSocket } from "./client-socket.ts";
import { createInputQueue } from "./input-queue.ts";
import type { SocketRequest, SocketRoute } from "./upgrades.ts";

export interface TerminalSocketDeps extends StreamDeps {
  readonly questions: QuestionBook;
  /** Types keys, in line with everything else that is typed there. */
  readonly keys: (terminal: string, bytes: string, caller: Pick<Caller, "scope">) => Promise<void>;
}

const Message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input"), data: z.string().min(1).max(65_536) }),
  z.strictObject({ type: z.literal("ack"), bytes: z.number().int().min(0) }),
]);

/** A terminal's output with cursors; with the scope send, also its input. */
export function terminalSocket(deps: TerminalSocketDeps): SocketRoute {
  return {
    path: /^\/api\/terminals\/([^/]+)\/stream$/,
    async open(socket, request) {
      const [id = ""] = request.parts;
      const room = flowControl(socket.signal);
      onInput({ deps, id }, socket, request, room, (bytes) => deps.keys(id, bytes, request.caller()));
      const cursor = request.query.get("cursor");
      const replay = request.query.get("replay") === "1";
      const options = { signal: socket.signal, replay, ...(cursor === null ? {} : { cursor }) };
      for await (const frame of terminalFrames(deps, id, options)) {
        const data = encoded(frame);
        await room.take(data.length);
        if (!(await socket.send(data))) return;
      }
    },
  };
}

function onInput(
  { deps, id }: { readonly deps: TerminalSocketDeps; readonly id: string },
  socket: ClientSocket,
  request: SocketRequest,
  room: Room,
  type: (bytes: string) => Promise<void>,
): void {
  const take = createInputQueue({
    async type(text) {
      requireScope(request, deps.questions.of(resolveTerminal(deps, id).id) === undefined ? "send" : "approve");
      await type(text);
    },
    async onFailure(error) {
      await socket.send(JSON.stringify({ type: "refused", ...bodyOf(error) }));
      // A client that may never type has no use for typing on.
      if (!mayType(request)) socket.close(4_403, "not_allowed");
    },
    pause: socket.pause,
    resume: socket.resume,
    signal: socket.signal,
  });
  socket.onMessage((text) => {
    const message = Message.safeParse(parsed(text));
    if (!message.success) return socket.close(4_400, "bad_input");
    const { data } = message;
    if (data.type === "ack") room.give(data.bytes);
    else take(data.data);
  });
}

function mayType({ caller }: SocketRequest): boolean {
  try {
    return allows(caller().scope, "send");
  } catch {
    return false;
  }
}

// A key typed while a question is open may answer it.
function requireScope({ caller }: SocketRequest, needed: "send" | "approve"): void {
  const { scope } = caller();
  if (allows(scope, needed)) return;
  const what = needed === "send" ? "typing" : "typing while a question is open";
  throw new PanewardError("not_allowed", `${what} needs the scope ${needed}; yours is ${scope}`);
}

function bodyOf(error: unknown) {
  const known =
    error instanceof PanewardError
      ? error
      : (systemFailure(error) ?? new PanewardError("unexpected", "the daemon failed unexpectedly; nothing was typed"));
  return known.toBody();
}

/** Control messages are text. Output is one binary message with its cursor, so that neither arrives without the other. */
function encoded(frame: StreamFrame): string | Uint8Array {
  if (frame.kind !== "bytes") return JSON.stringify({ type: frame.kind, ...frame });
  const cursor = Buffer.from(frame.cursor);
  return Buffer.concat([Buffer.from([cursor.length]), cursor, frame.bytes]);
}

interface Room {
  take(bytes: number): Promise<void>;
  give(bytes: number): void;
}

const maxUnread = 1_048_576;

// A page queues all that arrives. It acknowledges what it has drawn; at most `maxUnread` bytes are sent ahead of that.
function flowControl(signal: AbortSignal): Room {
  let unread = 0;
  let wake: (() => void) | undefined;
  signal.addEventListener("abort", () => wake?.());
  return {
    async take(bytes) {
      while (unread > maxUnread && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      unread += bytes;
    },
    give(bytes) {
      unread = Math.max(0, unread - bytes);
      wake?.();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
