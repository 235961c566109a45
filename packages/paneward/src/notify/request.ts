import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Answered, OutgoingRequest } from "./channel.ts";

/**
 * One request on a connection of its own. What fails before the connection is open was never sent; after that, it may have
 * arrived. Redirections are not followed: an address is what the user wrote.
 */
export function sendRequest(address: string, outgoing: OutgoingRequest): Promise<Answered> {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    return Promise.resolve({ kind: "unusable", reason: "not an address that begins with https:// or http://" });
  const isSecure = url.protocol === "https:";
  const body = outgoing.body === undefined ? undefined : Buffer.from(outgoing.body);
  return new Promise((resolve) => {
    let isConnected = false;
    const fail = (error: Error) =>
      resolve({ kind: isConnected ? "lost" : "unreached", reason: reasonOf(error, outgoing.limitMs ?? limitMs) });
    const limit = AbortSignal.timeout(outgoing.limitMs ?? limitMs);
    const signal = outgoing.signal ? AbortSignal.any([outgoing.signal, limit]) : limit;
    const options = {
      method: outgoing.method,
      headers: {
        "user-agent": "paneward",
        ...outgoing.headers,
        ...(body === undefined ? {} : { "content-length": String(body.length) }),
      },
      agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
      signal,
    };
    let request: ClientRequest;
    try {
      request = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    } catch (error) {
      // Such as a token with a line break in it.
      return resolve({ kind: "unusable", reason: (error as Error).message });
    }
    request.once("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        isConnected = true;
      });
    });
    request.once("error", fail);
    request.once("response", (response) => {
      // From here on, what goes wrong ends the reading.
      request.off("error", fail).on("error", () => {});
      const status = response.statusCode ?? 0;
      // A failure is one, however much it says about itself.
      const isFailure = status >= 300;
      readAll(response, isFailure ? undefined : outgoing.arriving).then(resolve, (error: Error) => {
        const reason = reasonOf(error, outgoing.limitMs ?? limitMs);
        resolve(isFailure ? answeredWith(response, "") : { kind: "lost", reason, status });
      });
    });
    request.end(body);
  });
}

async function readAll(response: IncomingMessage, arriving?: (piece: string) => void): Promise<Answered> {
  let text = "";
  for await (const piece of response.setEncoding("utf8")) {
    text += piece;
    arriving?.(String(piece));
    if (text.length <= maxAnswer) continue;
    response.destroy();
    break;
  }
  return answeredWith(response, text.slice(0, maxAnswer));
}

function answeredWith({ headers, statusCode = 0 }: IncomingMessage, text: string): Answered {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return { kind: "answered", status: statusCode, text, header };
}

function reasonOf(error: Error, ms: number): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return `no answer within ${ms / 1_000} s`;
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}

const limitMs = 15_000;
const maxAnswer = 262_144;
