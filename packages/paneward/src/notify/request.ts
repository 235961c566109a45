import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Answered, OutgoingRequest } from "./channel.ts";

/**
 * One request on a connection of its own. What fails before the connection stands was never sent; after that, it may have
 * arrived. Redirections are not followed: an address is what the user wrote.
 */
export function sendRequest(address: string, outgoing: OutgoingRequest): Promise<Answered> {
  const url = new URL(address);
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
    const request = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    request.once("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        isConnected = true;
      });
    });
    request.once("error", fail);
    request.once("response", (response) => readAll(response).then(resolve, fail));
    request.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<Answered> {
  let text = "";
  for await (const piece of response.setEncoding("utf8")) {
    text += piece;
    if (text.length <= maxAnswer) continue;
    response.destroy();
    break;
  }
  const header = (name: string) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return { kind: "answered", status: response.statusCode ?? 0, text: text.slice(0, maxAnswer), header };
}

function reasonOf(error: Error, ms: number): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return `no answer within ${ms / 1_000} s`;
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}

const limitMs = 15_000;
const maxAnswer = 262_144;
