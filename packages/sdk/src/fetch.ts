import type { ClientTransport } from "./client.ts";
import { PanewardError } from "./errors.ts";

/** Reaches the daemon over HTTP: in a browser, or anywhere else with `fetch` or something like it. */
export function fetchTransport(
  base: string,
  token?: string,
  send: (request: string, init: RequestInit) => Promise<Response> = fetch,
): ClientTransport {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    send(`${base}${path}`, init).catch((cause) => {
      throw notReached(base, init.method, cause);
    });
  return {
    async request(method, path, body, signal) {
      const answer = await ask(path, {
        method,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await answer.text().catch((cause) => {
        throw new PanewardError("outcome_unknown", "the daemon went away before it had answered", {
          cause: reasonOf(cause),
        });
      });
      return { status: answer.status, text };
    },
    async stream(path, signal) {
      const answer = await ask(path, { headers, signal });
      return { status: answer.status, chunks: textOf(answer.body, signal) };
    },
  };
}

// Node says why in the cause; a browser does not tell whether the request was sent. Reading again does no harm.
function notReached(base: string, method: string | undefined, error: Error): PanewardError {
  const cause = reasonOf(error);
  const cannotHaveHappened = method === undefined || method === "GET" || neverArrived.has(codeOf(cause));
  const code = cannotHaveHappened ? "unavailable" : "outcome_unknown";
  return new PanewardError(code, `no answer from ${base}: ${cause.message || codeOf(cause)}`, { cause });
}

const neverArrived = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function reasonOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

async function* textOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const giveUp = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", giveUp);
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      yield decoder.decode(piece.value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", giveUp);
    // Whoever stops reading gives the connection back.
    await reader.cancel().catch(() => undefined);
  }
}
