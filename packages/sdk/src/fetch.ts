import type { ClientTransport } from "./client.ts";

/** Reaches the daemon over HTTP: in a browser, or anywhere else with `fetch`. */
export function fetchTransport(base: string, token?: string): ClientTransport {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    async request(method, path, body) {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    async stream(path, signal) {
      const answer = await fetch(`${base}${path}`, { headers, signal });
      return { status: answer.status, chunks: textOf(answer.body) };
    },
  };
}

async function* textOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      yield decoder.decode(piece.value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
}
