import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorTable, PanewardError } from "@paneward/sdk";
import { statusOf, withOlderName, wrongField } from "./legacy-errors.ts";

test("every failure of respond has a legacy type and a status", () => {
  const cases: readonly (readonly [ErrorCode, string | undefined, string, number])[] = [
    ["unavailable", "tmux_not_installed", "tmux_not_installed", 503],
    ["unavailable", "pane_not_found", "pane_not_found", 503],
    ["wrong_state", "pane_not_found", "pane_not_found", 503],
    ["unavailable", "server_lost", "pane_not_found", 503],
    ["unavailable", "version_unsupported", "tmux_not_installed", 503],
    ["unavailable", "send_failed", "send_failed", 502],
    ["bad_input", "subprocess_failed", "subprocess_failed", 502],
    ["not_allowed", undefined, "not_allowed", 403],
    ["wrong_state", "send_failed", "send_failed", 502],
    ["outcome_unknown", undefined, "timeout", 502],
    ["conflict", undefined, "wrong_state", 409],
    ["not_found", undefined, "agent_not_found", 404],
    ["bad_input", "no_pane_id", "no_pane_id", 400],
    ["unexpected", undefined, "internal_error", 500],
  ];
  for (const [code, given, name, status] of cases) {
    const failure = withOlderName(new PanewardError(code, "x", given === undefined ? {} : { errorType: given }));
    assert.deepEqual([failure.errorType, statusOf(failure), failure.toBody().status], [name, status, "error"]);
  }
  for (const code of Object.keys(errorTable) as readonly ErrorCode[]) {
    assert.ok(withOlderName(new PanewardError(code, "x")).errorType, code);
  }
});

test("a wrong field has its type; an unknown one has the general type", () => {
  assert.deepEqual(["mode", "answers", "text", "other", 3].map(wrongField), [
    "invalid_mode",
    "invalid_answers",
    "missing_text",
    "invalid_input",
    "invalid_input",
  ]);
});
