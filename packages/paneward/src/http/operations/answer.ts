import { PanewardError, systemFailure } from "@paneward/sdk";
import type { Log } from "../../runtime/ports.ts";
import type { HttpContext } from "../env.ts";
import { methodNotAllowed, statusOf, withOlderName } from "./legacy-errors.ts";

/** Answers with a failure in our shape. Unexpected errors are logged, and not shown to the caller. */
export function answerFailure(c: HttpContext, error: unknown, log: Log): Response {
  const failure = failureOf(c.req, error, log);
  if (failure.code === "unauthorized") c.header("www-authenticate", "Bearer");
  return c.json(failure.toBody(), statusFor(c.req, failure));
}

type Route = { readonly method: string; readonly path: string };

/** A failure as the caller of this route gets it. */
export function failureOf(route: Route, error: unknown, log: Log): PanewardError {
  const known = error instanceof PanewardError ? error : (systemFailure(error) ?? unexpectedFailure(error));
  // Its hint sends the reader to the log.
  if (known.code === "unexpected") logUnexpected(route, error, log);
  return isOfOlderDashboard(route) ? withOlderName(known) : known;
}

export function statusFor(route: Route, failure: PanewardError): ReturnType<typeof statusOf> {
  return isOfOlderDashboard(route) ? statusOf(failure) : failure.row.status;
}

export function noSuchRoute(c: HttpContext): PanewardError {
  return new PanewardError("not_found", printable(`there is no ${c.req.method} ${c.req.path}`, 200), {
    hint: "GET /api/openapi.json lists every route",
    // Where the older dashboard looks, only the method can be wrong.
    ...(isOfOlderDashboard(c.req) ? { errorType: methodNotAllowed } : {}),
  });
}

/** Makes a caller's text safe for terminals and logs: short and without control characters. */
export function printable(text: string, maxLength: number): string {
  const clean = text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "�");
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}

function unexpectedFailure(cause: unknown): PanewardError {
  return new PanewardError("unexpected", "the daemon failed unexpectedly", { cause });
}

function logUnexpected({ method, path }: Route, error: unknown, log: Log): void {
  const { stack, message, cause } = error instanceof Error ? error : new Error(String(error));
  const because = cause instanceof Error ? { cause: cause.message } : {};
  log.error("a request failed unexpectedly", { method, path, message, stack, ...because });
}

function isOfOlderDashboard({ path }: Pick<Route, "path">): boolean {
  return /^\/(api\/respond|hook)\//.test(path);
}
