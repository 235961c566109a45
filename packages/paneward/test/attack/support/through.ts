import { readFileSync } from "node:fs";
import { request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import type { RawRequest, RawResponse } from "../../http/support/ask.ts";
import type { Authority } from "../../support/proxies.ts";

/** A proxy with TLS, as its clients see it. */
export interface Door {
  readonly port: number;
  readonly authority: Authority;
}

/** One request through a proxy, on a connection of its own. */
export function askThrough({ port, authority }: Door, { method = "GET", path, headers = {}, body }: RawRequest) {
  return new Promise<RawResponse>((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const where = { host: "127.0.0.1", port, servername: "localhost", ca: readFileSync(authority.ca), agent: false };
    const sent = { host: `localhost:${port}`, ...length, ...headers };
    const asked = request({ ...where, method, path, headers: sent }, async (answer) => {
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: "" });
    });
    asked.on("error", reject).end(body);
  });
}

/** A TLS connection on which a test writes bytes. */
export function rawThrough({ port, authority }: Door): TLSSocket {
  return connect({ host: "127.0.0.1", port, servername: "localhost", ca: readFileSync(authority.ca) });
}
