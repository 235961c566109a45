import type { Duplex } from "node:stream";
import { PanewardError } from "../errors.ts";
import { identityPath, isProof, newNonce } from "../identity.ts";

export interface Proving {
  readonly host: string;
  /** What the daemon has to sign; see `askedUnder`. */
  readonly under: string;
}

/** Lets the daemon prove itself on a new connection, which afterwards carries the caller's requests. */
export async function provenBy(socket: Duplex, { host, under }: Proving, fingerprint: string): Promise<void> {
  const nonce = newNonce();
  const answer = await exchanged(socket, `GET ${identityPath(nonce)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  if (await isProof(answer, { host: under, nonce }, fingerprint)) return;
  throw new PanewardError("unavailable", `the program that answers at ${host} is not the daemon of this token`, {
    hint: "nothing was sent to it; start the daemon, or create a token for the one that runs there",
  });
}

const timeoutMs = 10_000;
const maxLength = 8_192;

/** One request without a body and the JSON of its answer; undefined if it is anything else. */
function exchanged(socket: Duplex, request: string): Promise<unknown> {
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: unknown) => {
      clearTimeout(timer);
      socket.off("data", take).off("close", nothing);
      resolve(answer);
    };
    const nothing = () => end(undefined);
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const body = rest.join("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
      const isOver = rest.length > 0 && !(body.length < length);
      if (isOver) end(/^HTTP\/1\.1 200 /.test(head) && body.length === length ? json(body) : undefined);
      else if (text.length > maxLength) nothing();
    };
    const timer = setTimeout(nothing, timeoutMs);
    socket.on("data", take).on("close", nothing);
    socket.write(request);
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
