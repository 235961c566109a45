import { type BridgeErrorType, ownValue, PanewardError } from "@paneward/sdk";

/** A failure of the bridge, by the older dashboard's name. */
export class BridgeFailure extends Error {
  readonly type: BridgeErrorType;

  constructor(type: BridgeErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

export function bridgeTypeOf(error: unknown): BridgeErrorType {
  if (error instanceof BridgeFailure) return error.type;
  if (!(error instanceof PanewardError)) return "unknown";
  if (error.errorType !== undefined) return bridgeType(error.errorType);
  if (error.code === "outcome_unknown") return "timeout";
  return error.code === "unavailable" ? "subprocess_failed" : "send_failed";
}

/** The bridge's name for an error type of the tmux driver. */
export function bridgeType(type: string): BridgeErrorType {
  return ownValue(names, type) ?? "unknown";
}

const names: Readonly<Record<string, BridgeErrorType>> = {
  pane_not_found: "pane_not_found",
  // A server that is gone has no panes.
  server_lost: "pane_not_found",
  session_not_found: "pane_not_found",
  tmux_not_installed: "tmux_not_installed",
  version_unsupported: "tmux_not_installed",
  subprocess_failed: "subprocess_failed",
  no_pane_id: "no_pane_id",
  timeout: "timeout",
  send_failed: "send_failed",
  // No such key.
  name_invalid: "send_failed",
};
