import assert from "node:assert/strict";
import { type ErrorCode, PanewardError } from "@paneward/sdk";

/** Waits for a failure with this code whose message and hint say these things. */
export async function fails(attempt: Promise<unknown>, code: ErrorCode, ...says: readonly RegExp[]): Promise<void> {
  const error = await attempt.then(
    () => assert.fail(`expected ${code}, but it succeeded`),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof PanewardError, String(error));
  assert.equal(error.code, code, error.message);
  for (const said of says) assert.match(`${error.message}\n${error.hint}`, said);
}
