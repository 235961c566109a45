import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import type { TestDaemon } from "../../support/daemon.ts";
import { direct } from "../../support/direct.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";

export interface WireRequest {
  readonly to: "unix" | "tcp";
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly text: string;
}

/** The connections of a fuzzer; most are kept open and used again. */
export interface Wires {
  ask(sent: WireRequest): Promise<WireAnswer>;
  /** Calls by name on a call link; resolves with the answer's line. */
  call(line: string, id: number): Promise<WireAnswer>;
  /** Writes bytes on a fresh connection, half-closes it, and resolves when it is over. */
  raw(to: "unix" | "tcp", bytes: Buffer): Promise<WireAnswer>;
}

export function openWires(t: Cleanup, daemon: TestDaemon): Wires {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  afterwards(t, () => agent.destroy());
  const place = { unix: { socketPath: socketOf(daemon) }, tcp: { host: "127.0.0.1", port: daemon.port } };
  const link = openLink(t, daemon);
  return {
    ask: ({ to, method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body ? { "content-length": String(body.length) } : {};
        const given = { ...length, ...headers };
        const marked = to === "unix" ? direct(given) : given;
        const sent = request({ ...place[to], agent, method, path, headers: marked }, (answer) => {
          textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
        });
        sent.on("error", reject);
        sent.end(body);
      }),
    call: link,
    raw: (to, bytes) =>
      new Promise((resolve) => {
        const socket = to === "unix" ? connect(socketOf(daemon)) : connect(daemon.port, "127.0.0.1");
        let text = "";
        socket.on("data", (chunk) => {
          text = (text + chunk.toString("latin1")).slice(0, 100_000);
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
        socket.end(bytes);
      }),
  };
}

export function socketOf({ env }: TestDaemon): string {
  return env.PANEWARD_SOCKET_PATH ?? "";
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding("utf8");
  let text = "";
  for await (const chunk of answer) text += chunk;
  return text;
}

// A link that was closed because of a wrong line is opened again.
function openLink(t: Cleanup, daemon: TestDaemon): Wires["call"] {
  const pending = new Map<number, (answer: WireAnswer) => void>();
  let opened: Promise<Socket> | undefined;
  const open = async () => {
    const headers = direct({ connection: "Upgrade", upgrade: "paneward-calls" });
    const asked = request({ socketPath: socketOf(daemon), path: "/api/calls", headers, agent: false }).end();
    const [, socket] = (await once(asked, "upgrade")) as [IncomingMessage, Socket];
    afterwards(t, () => void socket.destroy());
    let rest = "";
    const settle = (id: number | undefined, text: string) => {
      // Without an id it concerns the link, which ends: every pending call has its answer.
      for (const one of id === undefined ? [...pending.keys()] : [id]) {
        pending.get(one)?.({ status: statusIn(text), text });
        pending.delete(one);
      }
    };
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) settle((JSON.parse(line) as { readonly id?: number }).id, line);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      opened = undefined;
      settle(undefined, '{"error":{"code":"bad_input","message":"the link was closed"}}');
    });
    return socket;
  };
  return async (line, id) => {
    opened ??= open();
    const socket = await opened;
    const answer = new Promise<WireAnswer>((resolve) => pending.set(id, resolve));
    socket.write(`${line}\n`);
    return answer;
  };
}

function statusIn(line: string): number {
  return "error" in (JSON.parse(line) as object) ? 400 : 200;
}
