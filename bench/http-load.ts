import { connect, type Socket } from "node:net";

const connections = 8;

/** How often requests were answered in so many milliseconds, over several connections at once. */
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

/** The body of one answer. */
export async function askOnce(socketPath: string, path: string): Promise<string> {
  let body = "";
  await onConnection(socketPath, path, (answer) => {
    body = answer;
    return false;
  });
  return body;
}

// A client that does as little as possible, because it shares the machine with what it measures.
function onConnection(socketPath: string, path: string, goOn: (body: string) => boolean): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const socket: Socket = connect(socketPath);
  socket.setEncoding("latin1");
  return new Promise((resolve, reject) => {
    let heard = "";
    socket.on("connect", () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (text: string) => {
      heard += text;
      const body = wholeBody(heard);
      if (body === undefined) return;
      heard = "";
      if (goOn(body)) socket.write(request);
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

function wholeBody(heard: string): string | undefined {
  const head = heard.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  if (!heard.startsWith("HTTP/1.1 200")) throw new Error(`refused: ${heard}`);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(heard) ?? [];
  if (length === undefined) throw new Error("the answer does not say how long it is");
  return heard.length === head + 4 + Number(length) ? heard.slice(head + 4) : undefined;
}
