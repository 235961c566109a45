import { request } from "node:http";
import type { TestDaemon } from "../../support/daemon.ts";
import { direct } from "../../support/direct.ts";
import { readBody, type V1Body } from "./v1-body.ts";

export interface V1Answer {
  readonly status: number;
  /** The whole response, unchecked. */
  readonly json: unknown;
  readonly body: V1Body;
}

export interface V1Options {
  readonly token?: string | undefined;
  readonly key?: string;
  /** Sent unchanged as the body. */
  readonly raw?: string;
}

/** Sends requests to /v1: over loopback with a token, or over the Unix socket without. */
export function v1(daemon: TestDaemon, over: "tcp" | "unix") {
  return (method: string, path: string, body?: object, options: V1Options = {}): Promise<V1Answer> =>
    new Promise((resolve, reject) => {
      const where =
        over === "tcp" ? { host: "127.0.0.1", port: daemon.port } : { socketPath: daemon.env.PANEWARD_SOCKET_PATH };
      const headers = {
        ...(over === "tcp" ? {} : direct()),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.key === undefined ? {} : { "idempotency-key": options.key }),
      };
      const outgoing = request({ ...where, method, path, headers, agent: false }, async (answer) => {
        let text = "";
        for await (const chunk of answer.setEncoding("utf8")) text += chunk;
        const json: unknown = JSON.parse(text);
        resolve({ status: answer.statusCode ?? 0, json, body: readBody(json) });
      });
      outgoing.on("error", reject);
      outgoing.end(options.raw ?? (body === undefined ? undefined : JSON.stringify(body)));
    });
}
