import { type ClientTransport, fetchTransport, PanewardError } from "@paneward/sdk";

/** The daemon over HTTP, with failures that say whether the request can have arrived. */
export function httpTransport(url: string, token: string | undefined): ClientTransport {
  const inner = fetchTransport(url, token);
  return {
    request: (...asked) => inner.request(...asked).catch((cause: unknown) => notReached(url, cause)),
    stream: (...asked) => inner.stream(...asked).catch((cause: unknown) => notReached(url, cause)),
  };
}

function notReached(url: string, cause: unknown): never {
  const reason = (cause as { readonly cause?: NodeJS.ErrnoException }).cause;
  if (reason?.code !== undefined && neverArrived.has(reason.code)) {
    const hint = "look at PANEWARD_URL and PANEWARD_TOKEN, or unset both to use the socket";
    throw new PanewardError("unavailable", `no daemon answers at ${url}: ${reason.message || reason.code}`, {
      hint,
      cause: reason,
    });
  }
  const message = reason?.message ?? (cause as Error).message;
  throw new PanewardError("outcome_unknown", `the connection to ${url} broke: ${message}`, { cause });
}

const neverArrived = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_URL",
]);
