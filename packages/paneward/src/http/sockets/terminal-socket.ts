import { allows, PanewardError } from "@paneward/sdk";
import { z } from "zod";
import { type StreamDeps, type StreamFrame, terminalFrames } from "../../runtime/output/terminal-stream.ts";
import type { QuestionBook } from "../../runtime/questions/question-book.ts";
import { resolveTerminal } from "../../runtime/resolve.ts";
import type { ClientSocket } from "./client-socket.ts";
import type { SocketRoute, Visit } from "./upgrades.ts";

export interface TerminalSocketDeps extends StreamDeps {
  readonly questions: QuestionBook;
  /** Types keys, in line with everything else that is typed there. */
  readonly keys: (terminal: string, bytes: string) => Promise<void>;
}

const Message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input"), data: z.string().min(1).max(65_536) }),
  z.strictObject({ type: z.literal("ack"), bytes: z.number().int().min(0) }),
]);

/** A terminal's bytes as they come, with their cursors; and with the scope send, keys that go back. */
export function terminalSocket(deps: TerminalSocketDeps): SocketRoute {
  return {
    path: /^\/api\/terminals\/([^/]+)\/stream$/,
    async open(socket, visit) {
      const [id = ""] = visit.parts;
      const room = flowControl(socket.signal);
      listen({ deps, id }, socket, visit, room, (bytes) => deps.keys(id, bytes));
      const cursor = visit.query.get("cursor");
      const replay = visit.query.get("replay") === "1";
      const options = { signal: socket.signal, replay, ...(cursor === null ? {} : { cursor }) };
      for await (const frame of terminalFrames(deps, id, options)) {
        const data = encoded(frame);
        await room.take(data.length);
        if (!(await socket.send(data))) return;
      }
    },
  };
}

function listen(
  { deps, id }: { readonly deps: TerminalSocketDeps; readonly id: string },
  socket: ClientSocket,
  visit: Visit,
  room: Room,
  type: (bytes: string) => Promise<void>,
): void {
  let before: Promise<void> = Promise.resolve();
  socket.onMessage((text) => {
    const message = Message.safeParse(parsed(text));
    if (!message.success) return socket.close(4_400, "bad_input");
    const { data } = message;
    if (data.type === "ack") return room.give(data.bytes);
    before = before.then(async () => {
      try {
        requireScope(visit, deps.questions.of(resolveTerminal(deps, id).id) === undefined ? "send" : "approve");
        await type(data.data);
      } catch (error) {
        await socket.send(JSON.stringify({ type: "refused", ...bodyOf(error) }));
      }
    });
  });
}

// A key that is typed while a question is open may be its answer.
function requireScope({ caller }: Visit, needed: "send" | "approve"): void {
  const { scope } = caller();
  if (allows(scope, needed)) return;
  const what = needed === "send" ? "typing" : "typing while a question is open";
  throw new PanewardError("not_allowed", `${what} needs the scope ${needed}; yours is ${scope}`);
}

function bodyOf(error: unknown) {
  const known = error instanceof PanewardError ? error : new PanewardError("unexpected", "this was not typed");
  return known.toBody();
}

/** Text for what is said about the bytes; bytes with the cursor behind them as one message, so neither comes alone. */
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

// A page queues whatever arrives, so it says how much it has drawn, and gets no more than this ahead of it.
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
