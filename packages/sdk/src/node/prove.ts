import type { Duplex } from "node:stream";
import { type ErrorBody, PanewardError } from "../errors.ts";
import { identityPath, isProof, newNonce, provedElsewhere, proxyHint } from "../identity.ts";

export interface Proving {
  readonly host: string;
  /** What the daemon has to sign; see `askedUnder`. */
  readonly under: string;
}

/** Lets the daemon prove itself on a new connection, which afterwards carries the caller's requests. */
export async function provenBy(socket: Duplex, { host, under }: Proving, fingerprint: string): Promise<void> {
  const asked = { host: under, nonce: newNonce() };
  const answer = await exchanged(socket, `GET ${identityPath(asked.nonce)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  if (answer?.status === 200 && (await isProof(answer.body, asked, fingerprint))) return;
  const other = `the program that answers at ${host} is not the daemon of this token`;
  const elsewhere = answer && (await provedElsewhere(answer.body, asked, fingerprint));
  if (elsewhere !== undefined) {
    throw new PanewardError("unavailable", `${other}, but passes on what that says under ${elsewhere}`, {
      hint: `nothing was sent to it; ${proxyHint}`,
    });
  }
  const { message, hint } = (answer?.body as Partial<ErrorBody> | undefined)?.error ?? {};
  if (typeof message === "string" && typeof hint === "string") {
    throw new PanewardError("unavailable", `${other}, or refuses to say so: ${message}`, { hint });
  }
  throw new PanewardError("unavailable", other, {
    hint: "nothing was sent to it; start the daemon, or create a token for the one that runs there",
  });
}

const timeoutMs = 10_000;
const maxLength = 8_192;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One request without a body and the JSON of its answer; undefined if it is anything else. */
function exchanged(socket: Duplex, request: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: Answer | undefined) => {
      clearTimeout(timer);
      socket.off("data", take).off("close", nothing);
      resolve(answer);
    };
    const nothing = () => end(undefined);
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const found = readAnswer(text);
      if (found !== "not whole") end(found);
      else if (text.length > maxLength) nothing();
    };
    const timer = setTimeout(nothing, timeoutMs);
    socket.on("data", take).on("close", nothing);
    socket.write(request);
  });
}

/** Exactly one whole response: what comes after it would be taken for the answer to the caller's first request. */
export function readAnswer(text: string): Answer | undefined | "not whole" {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return "not whole";
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const rest = text.slice(end + 4);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (/\r\ntransfer-encoding: *chunked *(\r|$)/i.test(head))
    return length === undefined ? chunked(status, rest) : undefined;
  if (!status || length === undefined || rest.length > Number(length)) return undefined;
  return rest.length < Number(length) ? "not whole" : { status, body: json(rest) };
}

// Some proxies leave the length out.
function chunked(status: number, text: string): Answer | undefined | "not whole" {
  let body = "";
  let at = 0;
  for (;;) {
    const line = text.indexOf("\r\n", at);
    if (line < 0) return "not whole";
    const size = /^[\da-f]{1,4}$/i.test(text.slice(at, line)) ? Number.parseInt(text.slice(at, line), 16) : undefined;
    if (size === undefined) return undefined;
    const next = line + 2 + size;
    if (text.length < next + 2) return "not whole";
    if (text.slice(next, next + 2) !== "\r\n") return undefined;
    body += text.slice(line + 2, next);
    at = next + 2;
    if (size === 0) return status && at === text.length ? { status, body: json(body) } : undefined;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
