import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorFromBody, errorTable, PanewardError } from "./errors.ts";

const codes = Object.keys(errorTable) as readonly ErrorCode[];

test("every error survives serialization", () => {
  for (const code of codes) {
    const sent = new PanewardError(code, `about ${code}`, { hint: `for ${code}` });
    const got = errorFromBody(JSON.parse(JSON.stringify(sent.toBody())), sent.row.status);
    assert.deepEqual([got.code, got.message, got.hint, got.row], [code, `about ${code}`, `for ${code}`, sent.row]);
  }
});

test("every code has an error status, an exit code and a hint", () => {
  for (const code of codes) {
    const { status, exitCode, hint } = errorTable[code];
    assert.ok(status >= 400 && exitCode > 0 && hint.length > 10, code);
    assert.equal(new PanewardError(code, "x").hint, hint);
  }
});

test("a foreign error is converted", () => {
  for (const body of [
    undefined,
    null,
    "text",
    7,
    {},
    { error: null },
    { error: "x" },
    { error: { code: "toString" } },
  ]) {
    assert.equal(errorFromBody(body, 500).code, "unexpected", JSON.stringify(body));
    for (const status of [502, 503, 504, 521]) {
      const { code, cause } = errorFromBody(body, status);
      assert.equal(code, "outcome_unknown", "a proxy says so, and the daemon may have done it");
      assert.ok(cause, "it is not the daemon's word");
    }
  }
});
