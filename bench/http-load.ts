import { connect, type Socket } from "node:net";
import { directHeaders } from "@paneward/sdk";

const connections = 8;

/** Requests answered within `ms` milliseconds, over several connections at once. */
export async function askFor(socketPath: string, path: string, ms: number): Promise<number> {
  const until = performance.now() + ms;
  const counts = Array.from({ length: connections }, async () => {
    let answered = 0;
    await onConnection(socketPath, path, () => {
      answered++;
      return performance.now() < until;
    });
    return answered;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The body of one response. */
export async function askOnce(socketPath: string, path: string): Promise<string> {
  let body = "";
  await onConnection(socketPath, path, (answer) => {
    body = answer;
    return false;
  });
  return body;
}

// A minimal client, because it shares the machine with the server.
function onConnection(socketPath: string, path: string, again: (body: string) => boolean): Promise<void> {
  const head = Object.entries(directHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${path} HTTP/1.1\r\n${head.join("")}\r\n`;
  const socket: Socket = connect(socketPath);
  socket.setEncoding("latin1");
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("connect", () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (text: string) => {
      received += text;
      const body = wholeBody(received);
      if (body === undefined) return;
      received = "";
      if (again(body)) socket.write(request);
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

function wholeBody(received: string): string | undefined {
  const head = received.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  if (!received.startsWith("HTTP/1.1 200")) throw new Error(`refused: ${received}`);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received) ?? [];
  if (length === undefined) throw new Error("the response has no length");
  return received.length === head + 4 + Number(length) ? received.slice(head + 4) : undefined;
}
