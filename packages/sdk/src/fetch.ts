import type { ClientTransport } from "./client.ts";
import { PanewardError } from "./errors.ts";

/** Reaches the daemon over HTTP: in a browser, or anywhere with `fetch` or an equivalent. */
export function fetchTransport(
  base: string,
  token?: string,
  send: (request: string, init: RequestInit) => Promise<Response> = fetch,
): ClientTransport {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    send(`${base}${path}`, init).catch((cause) => {
      if (cause instanceof PanewardError) throw cause;
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
        throw new PanewardError("outcome_unknown", "the daemon closed the connection before it answered", {
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

// Node gives the reason in the cause; a browser does not say whether the request was sent. Repeating a read is safe.
function notReached(base: string, method: string | undefined, error: Error): PanewardError {
  const cause = reasonOf(error);
  const hadNoEffect = method === undefined || method === "GET" || neverArrived.has(codeOf(cause));
  const code = hadNoEffect ? "unavailable" : "outcome_unknown";
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
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel);
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      yield decoder.decode(piece.value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    // Release the connection when the consumer stops reading.
    await reader.cancel().catch(() => undefined);
  }
}
