import type { JSONRPCErrorResponse, RequestId } from "@modelcontextprotocol/server";

/**
 * The requests of one connection that have no answer yet, by their ids. The library keeps one place per id: of two requests
 * under way with the same one, it would answer one with the result of the other, and the other never.
 */
export class RequestsUnderWay {
  readonly #ids = new Set<RequestId>();

  /** Takes the requests among these messages. If an id is in use already, takes none and returns the refusal. */
  begin(messages: readonly unknown[]): JSONRPCErrorResponse | undefined {
    const ids = messages.flatMap(requestIdOf);
    const repeated = ids.find((id, at) => this.#ids.has(id) || ids.indexOf(id) !== at);
    if (repeated !== undefined) return refusal(repeated);
    for (const id of ids) this.#ids.add(id);
    return undefined;
  }

  /** These messages will get no answer: they were not taken. */
  refused(messages: readonly unknown[]): void {
    for (const id of messages.flatMap(requestIdOf)) this.#ids.delete(id);
  }

  /** The client no longer waits for what these messages cancel; nothing answers it. */
  cancelled(messages: readonly unknown[]): void {
    for (const id of messages.flatMap(cancelledIdOf)) this.#ids.delete(id);
  }

  /** This message is sent to the client. */
  sent(message: unknown): void {
    const { id, method } = fieldsOf(message);
    if (isId(id) && method === undefined) this.#ids.delete(id);
  }
}

function refusal(id: RequestId): JSONRPCErrorResponse {
  const message = `another request with the id ${JSON.stringify(id)} is under way; give each request an id of its own`;
  return { jsonrpc: "2.0", id, error: { code: invalidRequest, message } };
}

const invalidRequest = -32_600;

function requestIdOf(message: unknown): readonly RequestId[] {
  const { id, method } = fieldsOf(message);
  return isId(id) && typeof method === "string" ? [id] : [];
}

function cancelledIdOf(message: unknown): readonly RequestId[] {
  const { id, method, params } = fieldsOf(message);
  const { requestId } = fieldsOf(params);
  return id === undefined && method === "notifications/cancelled" && isId(requestId) ? [requestId] : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
