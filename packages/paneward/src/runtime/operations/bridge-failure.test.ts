import assert from "node:assert/strict";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { BridgeFailure, bridgeTypeOf } from "./bridge-failure.ts";

test("every failure has one of the bridge's seven error types", () => {
  const failed = (errorType: string) => new PanewardError("unavailable", "no", { errorType });
  for (const [error, type] of [
    [new BridgeFailure("no_pane_id", "x"), "no_pane_id"],
    [failed("pane_not_found"), "pane_not_found"],
    [failed("server_lost"), "pane_not_found"],
    [failed("tmux_not_installed"), "tmux_not_installed"],
    [failed("version_unsupported"), "tmux_not_installed"],
    [failed("subprocess_failed"), "subprocess_failed"],
    [failed("timeout"), "timeout"],
    [failed("send_failed"), "send_failed"],
    [failed("name_invalid"), "send_failed"],
    [failed("constructor"), "unknown"],
    [new PanewardError("outcome_unknown", "late"), "timeout"],
    [new PanewardError("unavailable", "gone"), "subprocess_failed"],
    [new PanewardError("wrong_state", "ended"), "send_failed"],
    [new Error("odd"), "unknown"],
  ] as const) {
    assert.equal(bridgeTypeOf(error), type, error.message);
  }
});
