import { request } from "node:http";
import { directHeaders } from "@paneward/sdk";
import { fingerprintIn } from "@paneward/sdk/identity";
import { checkOwnSocket } from "@paneward/sdk/node";
import { listenerAddress, provingAgent } from "@paneward/sdk/node/http";
import type { Reached } from "./discovery.ts";
import { ToolFailure } from "./failure.ts";

export interface AskOptions {
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A client of teamd. A restarted daemon has a new token, so discovery is repeated once. */
export class Teamd {
  readonly #find: () => Promise<Reached>;
  readonly #fixed: Fields;
  #reached: Promise<Reached> | undefined;

  constructor(find: () => Promise<Reached>, fixed: { readonly teamId: string; readonly agentId: string }) {
    this.#find = find;
    this.#fixed = fixed;
  }

  get<Answer>(path: string, query: Fields = {}, options: AskOptions = {}): Promise<Answer> {
    const known = Object.entries({ ...this.#fixed, ...query }).filter(([, value]) => value !== undefined);
    const words = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
    return this.#ask("GET", `${path}?${words}`, undefined, options);
  }

  post<Answer>(path: string, body: Fields = {}, options: AskOptions = {}): Promise<Answer> {
    return this.#ask("POST", path, JSON.stringify({ ...this.#fixed, ...body }), options);
  }

  async #ask<Answer>(method: string, path: string, body: string | undefined, options: AskOptions): Promise<Answer> {
    const first = await this.#once(method, path, body, options);
    if (!(first instanceof NotReached)) return first as Answer;
    this.#reached = undefined;
    const second = await this.#once(method, path, body, options);
    if (!(second instanceof NotReached)) return second as Answer;
    this.#reached = undefined;
    throw second.failure;
  }

  async #once(method: string, path: string, body: string | undefined, options: AskOptions): Promise<unknown> {
    this.#reached ??= this.#find();
    const reached = await this.#reached.catch((error) => {
      this.#reached = undefined;
      throw error;
    });
    const answer = await exchange(reached, method, path, body, options).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") return undefined;
      throw new ToolFailure("teamd_unreachable", `the connection to the daemon broke: ${error.message}`);
    });
    if (!answer)
      return new NotReached("missing_teamd_discovery", "the daemon does not answer; `paneward daemon start` starts it");
    if (answer.status === 401) return new NotReached("UNAUTHORIZED", refusedToken(reached, answer));
    if (answer.status < 400) return answer.body;
    const { code = "INTERNAL_ERROR", message = `status ${answer.status}` } = answer.body.error ?? {};
    throw new ToolFailure(code, message);
  }
}

/** The daemon may have been restarted since it was found. */
class NotReached {
  readonly failure: ToolFailure;

  constructor(code: string, message: string) {
    this.failure = new ToolFailure(code, message);
  }
}

function refusedToken({ url, socket }: Reached, { body }: Exchanged): string {
  const where = socket ?? url ?? "the team's address";
  const why = body.error?.message ?? "status 401";
  return `the daemon at ${where} refuses the token (${why}): correct PI_TEAMD_TOKEN or PI_TEAMD_TOKEN_FILE, or unset PI_TEAMD_URL so that the team is found`;
}

interface Exchanged {
  readonly status: number;
  readonly body: { readonly error?: { readonly code?: string; readonly message?: string } };
}

function exchange(
  { url, socket, token }: Reached,
  method: string,
  path: string,
  body: string | undefined,
  { key, signal }: AskOptions,
): Promise<Exchanged> {
  const headers = {
    ...(socket === undefined ? {} : directHeaders),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  // By the socket, which only its owner can open; by a port only if the daemon is elsewhere. A token of a daemon names its
  // key, and nothing is sent before the other side has proved that it holds it.
  const asked = new URL(path, socket === undefined ? url : `http://${directHeaders.host}`);
  const proves = socket === undefined && fingerprintIn(token ?? "") !== undefined;
  const where = proves ? listenerAddress(asked) : asked;
  const agent = proves ? provingAgent(where, token) : undefined;
  const way = socket === undefined ? { agent: agent ?? false } : { agent: false, socketPath: socket };
  return new Promise<Exchanged>((resolve, reject) => {
    if (socket !== undefined) checkOwnSocket(socket);
    const outgoing = request(where, { method, headers, ...way, ...(signal ? { signal } : {}) }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        try {
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  }).finally(() => agent?.destroy());
}
