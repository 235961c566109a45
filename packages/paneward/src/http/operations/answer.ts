import { PanewardError } from "@paneward/sdk";
import type { Log } from "../../runtime/ports.ts";
import type { HttpContext } from "../env.ts";
import { statusOf, withOlderName } from "./legacy-errors.ts";

/** Answers with a failure in our shape. What we did not foresee goes to the log, not to the caller. */
export function answerFailure(c: HttpContext, error: unknown, log: Log): Response {
  const failure = failureOf(c.req, error, log);
  if (failure.code === "unauthorized") c.header("www-authenticate", "Bearer");
  return c.json(failure.toBody(), statusFor(c.req, failure));
}

type Asked = { readonly method: string; readonly path: string };

/** A failure as whoever asked for this is told it. */
export function failureOf(asked: Asked, error: unknown, log: Log): PanewardError {
  const known = error instanceof PanewardError ? error : unforeseen(asked, error, log);
  return isAnswer(asked) ? withOlderName(known) : known;
}

export function statusFor(asked: Asked, failure: PanewardError): ReturnType<typeof statusOf> {
  return isAnswer(asked) ? statusOf(failure) : failure.row.status;
}

export function noSuchRoute(c: HttpContext): PanewardError {
  return new PanewardError("not_found", printable(`there is no ${c.req.method} ${c.req.path}`, 200), {
    hint: "GET /api/openapi.json lists every route",
  });
}

/** Text of a caller's making, fit for a terminal and a log: short, and without control characters. */
export function printable(text: string, longest: number): string {
  const clean = text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "�");
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

function unforeseen({ method, path }: Asked, error: unknown, log: Log): PanewardError {
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  log.error("a request failed unexpectedly", { method, path, message, stack });
  return new PanewardError("unexpected", "the daemon failed in a way it did not foresee", { cause: error });
}

function isAnswer({ path }: Asked): boolean {
  return path.startsWith("/api/respond/");
}
