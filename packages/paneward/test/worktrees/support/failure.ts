import assert from "node:assert/strict";
import { type ErrorCode, PanewardError } from "@paneward/sdk";

/** Expects an error with this code whose message and hint match these patterns. */
export async function fails(attempt: Promise<unknown>, code: ErrorCode, ...says: readonly RegExp[]): Promise<void> {
  const error = await attempt.then(
    () => assert.fail(`expected ${code}, but it succeeded`),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof PanewardError, String(error));
  assert.equal(error.code, code, error.message);
  for (const said of says) assert.match(`${error.message}\n${error.hint}`, said);
}
