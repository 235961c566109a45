import { errorFromBody, type PanewardError } from "@paneward/sdk";
import { openSocket } from "../api/transport.ts";
import { readFrame } from "./frame.ts";

export interface StreamHandlers {
  readonly onPicture: (columns: number, rows: number, text: string) => void;
  readonly onSize: (columns: number, rows: number) => void;
  /** Call `drawn` when the bytes are on the screen: only then are more sent. */
  readonly onBytes: (bytes: Uint8Array, drawn: () => void, cursor: string) => void;
  readonly onMissed: (bytes: number) => void;
  readonly onFailure: (error: PanewardError) => void;
  readonly onConnection: (connected: boolean) => void;
  readonly onEnd?: () => void;
}

export interface Stream {
  /** False if there is no connection and nothing was typed. */
  type(data: string): boolean;
  close(): void;
}

/** A terminal's bytes, each exactly once: after a lost connection it resumes after the last byte received. */
export function openStream(id: string, replay: boolean, handlers: StreamHandlers): Stream {
  let cursor: string | undefined;
  let socket: WebSocket | undefined;
  let isOver = false;
  let pause = 250;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (message: object) => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  };
  const onText = (text: string) => {
    const message = JSON.parse(text) as Message;
    const drawn = () => send({ type: "ack", bytes: text.length });
    drawn();
    if (message.type === "picture") {
      const { picture } = message;
      cursor = picture.cursor;
      handlers.onPicture(picture.columns, picture.rows, picture.text);
    } else if (message.type === "size") handlers.onSize(message.columns, message.rows);
    else if (message.type === "missed") handlers.onMissed(message.bytes);
    else {
      isOver ||= message.type === "failed" && replay;
      handlers.onFailure(errorFromBody(message, 400));
    }
  };
  const later = () => {
    handlers.onConnection(false);
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, 5_000);
  };
  const connect = () => {
    const query = new URLSearchParams(replay ? { replay: "1" } : cursor === undefined ? {} : { cursor });
    openSocket(`/api/terminals/${encodeURIComponent(id)}/stream?${query}`).then(use, () => isOver || later());
  };
  const use = (own: WebSocket) => {
    if (isOver) return own.close();
    socket = own;
    own.binaryType = "arraybuffer";
    own.onopen = () => {
      pause = 250;
      handlers.onConnection(true);
    };
    own.onmessage = ({ data }) => {
      if (typeof data === "string") return onText(data);
      const frame = readFrame(new Uint8Array(data as ArrayBuffer));
      cursor = frame.cursor;
      handlers.onBytes(frame.bytes, () => send({ type: "ack", bytes: (data as ArrayBuffer).byteLength }), frame.cursor);
    };
    own.onclose = ({ code }) => {
      if (isOver) return;
      if (replay && code === 1_000) return handlers.onEnd?.();
      later();
    };
  };
  connect();
  return {
    type: (data) => send({ type: "input", data }),
    close() {
      isOver = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

type Message =
  | {
      readonly type: "picture";
      readonly picture: {
        readonly columns: number;
        readonly rows: number;
        readonly text: string;
        readonly cursor?: string;
      };
    }
  | { readonly type: "size"; readonly columns: number; readonly rows: number }
  | { readonly type: "missed"; readonly bytes: number }
  | { readonly type: "failed" | "refused"; readonly error: unknown };
