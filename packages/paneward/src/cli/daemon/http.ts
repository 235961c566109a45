import { type ClientTransport, fetchTransport, PanewardError } from "@paneward/sdk";

/** The daemon over HTTP. Errors say whether the request may have arrived. */
export function httpTransport(url: string, token: string | undefined): ClientTransport {
  const inner = fetchTransport(url, token);
  return {
    request: (...asked) => inner.request(...asked).catch((cause: unknown) => throwUnreachable(url, cause)),
    stream: (...asked) => inner.stream(...asked).catch((cause: unknown) => throwUnreachable(url, cause)),
  };
}

function throwUnreachable(url: string, cause: unknown): never {
  const reason = (cause as { readonly cause?: NodeJS.ErrnoException }).cause;
  if (reason?.code !== undefined && notSentCodes.has(reason.code)) {
    const hint = "check PANEWARD_URL and PANEWARD_TOKEN, or unset both to use the socket";
    throw new PanewardError("unavailable", `no daemon answers at ${url}: ${reason.message || reason.code}`, {
      hint,
      cause: reason,
    });
  }
  const message = reason?.message ?? (cause as Error).message;
  throw new PanewardError("outcome_unknown", `the connection to ${url} broke: ${message}`, { cause });
}

const notSentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_URL",
]);
