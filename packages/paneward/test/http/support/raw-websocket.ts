import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterwards, type Cleanup } from "../../support/folder.ts";

/** A WebSocket written byte by byte: it answers no ping, sends what it likes, and reads only if told to. */
export async function rawWebSocket(t: Cleanup, port: number, path: string, token: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  afterwards(t, () => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  const head = [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "connection: Upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
    `authorization: Bearer ${token}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket.pause();
}

export const opcodes = { text: 1, ping: 9, pong: 10 } as const;

/** Many copies of one short frame, masked with zeros. */
export function frames(opcode: keyof typeof opcodes, payload: string, count: number): Buffer {
  const body = Buffer.from(payload);
  const frame = Buffer.concat([Buffer.from([0x80 | opcodes[opcode], 0x80 | body.length, 0, 0, 0, 0]), body]);
  return Buffer.alloc(frame.length * count, frame);
}
