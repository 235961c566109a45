import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { connect, isIP } from "node:net";
import { connect as connectSecurely, type PeerCertificate, TLSSocket } from "node:tls";

/** How the outside of an address looks. Everything ends after a while; failures are values. */
export type Outcome<Value> =
  | { readonly value: Value; readonly error?: never }
  | { readonly value?: never; readonly error: Error };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

const patienceMs = 15_000;
const maxText = 65_536;

export async function addressesOf({ hostname }: URL): Promise<Outcome<readonly string[]>> {
  return outcome(async () => (await lookup(bare(hostname), { all: true })).map(({ address }) => address));
}

/** Connects, and with https also checks the certificate as every client would. */
export function connected(url: URL): Promise<Outcome<PeerCertificate | undefined>> {
  const host = bare(url.hostname);
  const port = portOf(url);
  return outcome(
    () =>
      new Promise((resolve, reject) => {
        const isSecure = url.protocol === "https:";
        const socket = isSecure
          ? connectSecurely({ host, port, servername: serverName(host) })
          : connect({ host, port });
        socket.setTimeout(patienceMs, () => socket.destroy(new Error("no answer within 15 s")));
        socket.once("error", reject);
        socket.once(isSecure ? "secureConnect" : "connect", () => {
          const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
          socket.destroy();
          resolve(certificate);
        });
      }),
  );
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
}

/** One request on a connection of its own. An upgrade that is accepted answers with 101 and the first bytes. */
export function asked(
  url: URL,
  { method = "GET", path, headers = {}, patienceMs: ms = patienceMs }: Asked,
): Promise<Outcome<Answer>> {
  return outcome(
    () =>
      new Promise((resolve, reject) => {
        const outgoing = open(url, { method, path, headers }, (answer) => {
          const of = { status: answer.statusCode ?? 0, headers: answer.headers };
          beginningOf(answer).then((text) => resolve({ ...of, text }), reject);
        });
        // Altogether: what answers may send a byte now and then, for ever.
        const late = setTimeout(() => {
          reject(new Error(`no answer within ${ms / 1_000} s`));
          outgoing.destroy();
        }, ms);
        outgoing.once("close", () => clearTimeout(late));
        outgoing.on("upgrade", (answer, socket, head) => {
          socket.setTimeout(ms, () => socket.destroy(new Error(`no answer within ${ms / 1_000} s`)));
          const done = (first: Buffer) => {
            socket.destroy();
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: first.toString("latin1") });
          };
          if (head.length > 0) return done(head);
          socket
            .once("data", done)
            .once("error", reject)
            .once("close", () => reject(new Error("it was closed at once")));
        });
        outgoing.on("error", reject).end();
      }),
  );
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += chunk;
    if (text.length >= maxText) break;
  }
  return text;
}

/** A response that does not end: calls back with each piece. */
export function streamed(
  url: URL,
  { path, headers = {} }: Asked,
  onPiece: (text: string) => void,
): { readonly opened: Promise<Outcome<Pick<Answer, "status" | "headers">>>; close(): void } {
  const { promise, resolve } = Promise.withResolvers<Outcome<Pick<Answer, "status" | "headers">>>();
  const outgoing = open(url, { method: "GET", path, headers }, (answer) => {
    answer
      .on("error", () => {})
      .setEncoding("utf8")
      .on("data", onPiece);
    resolve({ value: { status: answer.statusCode ?? 0, headers: answer.headers } });
  });
  outgoing.setTimeout(patienceMs, () => resolve({ error: new Error("no answer within 15 s") }));
  outgoing.on("error", (error) => resolve({ error })).end();
  return { opened: promise, close: () => outgoing.destroy() };
}

function open(
  url: URL,
  { method, path, headers }: Required<Omit<Asked, "patienceMs">>,
  onAnswer: (answer: IncomingMessage) => void,
) {
  const request = url.protocol === "https:" ? secureRequest : plainRequest;
  const host = bare(url.hostname);
  // Without it, Node takes the name in the header Host, of which a check may make up one.
  const where = { host, port: portOf(url), agent: false, servername: serverName(host) };
  return request({ ...where, method, path, headers: { host: url.host, ...headers } }, onAnswer);
}

async function outcome<Value>(what: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await what() };
  } catch (error) {
    return { error: error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error) };
  }
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

// TLS has no room for addresses.
function serverName(host: string): string {
  return isIP(host) === 0 ? host : "";
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
