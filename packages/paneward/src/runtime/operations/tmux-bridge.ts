import { type Delivery, PanewardError } from "@paneward/sdk";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Clock, HealthLevel, Store, Terminals } from "../ports.ts";

/** The error types of the older bridge, in its spelling. */
export const TmuxBridgeErrorType = {
  PANE_NOT_FOUND: "pane_not_found",
  TMUX_NOT_INSTALLED: "tmux_not_installed",
  SUBPROCESS_FAILED: "subprocess_failed",
  NO_PANE_ID: "no_pane_id",
  TIMEOUT: "timeout",
  SEND_FAILED: "send_failed",
  UNKNOWN: "unknown",
} as const;
export type BridgeErrorType = (typeof TmuxBridgeErrorType)[keyof typeof TmuxBridgeErrorType];

export interface SendResult {
  readonly success: boolean;
  readonly error_type: BridgeErrorType | null;
  readonly error_message: string | null;
  readonly latency_ms: number;
}

export interface HealthResult {
  readonly available: boolean;
  readonly running: boolean;
  readonly pid: number | null;
  readonly error_type: BridgeErrorType | null;
  readonly error_message: string | null;
}

export interface CaptureResult {
  readonly success: boolean;
  /** The last lines of the screen. */
  readonly content: string;
  readonly error_type: BridgeErrorType | null;
  readonly error_message: string | null;
}

interface BridgePorts {
  readonly clock: Pick<Clock, "monotonic">;
  readonly agents: Pick<AgentBook, "active" | "of">;
  readonly store: Pick<Store, "terminal">;
  readonly terminals: Pick<Terminals, "health" | "screen">;
}

/** Sends through the courier; the typist, the only part that types into panes, does the typing. */
export type Send = (
  terminal: string,
  what: { readonly text?: string; readonly keys?: readonly string[] },
) => Promise<Delivery>;

/** The bridge of the older dashboard, by pane id. Its calls never throw; failures are answers. */
export class TmuxBridge {
  readonly #ports: BridgePorts;
  readonly #send: Send;

  constructor(ports: BridgePorts, send: Send) {
    this.#ports = ports;
    this.#send = send;
  }

  sendText(pane: string, text: string): Promise<SendResult> {
    return this.#sent(pane, { text });
  }

  sendKeys(pane: string, keys: readonly string[]): Promise<SendResult> {
    return this.#sent(pane, { keys });
  }

  /** `running`: the agent's program is in the foreground, or with `process_tree` anywhere below the pane. */
  async checkHealth(pane: string, level: HealthLevel = "command"): Promise<HealthResult> {
    const found = this.#running(pane);
    if ("error_type" in found) return { available: false, running: false, pid: null, ...found };
    const { agents, terminals } = this.#ports;
    const kind = agents.of(found.terminal.id)?.kind;
    const { host } = found.terminal;
    const health = await terminals.health(host, found.place, level, kind === undefined ? [] : [kind]);
    const { available, running, pid = null, errorType } = health;
    const error_type = errorType === undefined ? null : bridgeType(errorType);
    const error_message = error_type === null ? null : `pane ${pane} cannot be looked at: ${errorType}`;
    return { available, running, pid, error_type, error_message };
  }

  async capturePane(pane: string, lines = 50): Promise<CaptureResult> {
    const found = this.#running(pane);
    if ("error_type" in found) return { success: false, content: "", ...found };
    try {
      const screen = await this.#ports.terminals.screen(found.terminal.host, found.place, false);
      const last = screen.lines.findLastIndex((line) => line.trim() !== "");
      const content = screen.lines
        .slice(0, last + 1)
        .slice(-lines)
        .join("\n");
      return { success: true, content, error_type: null, error_message: null };
    } catch (error) {
      return { success: false, content: "", error_type: typeOf(error), error_message: (error as Error).message };
    }
  }

  async #sent(pane: string, what: Parameters<Send>[1]): Promise<SendResult> {
    const { clock } = this.#ports;
    const began = clock.monotonic();
    const answer = (error_type: BridgeErrorType | null, error_message: string | null): SendResult => ({
      success: error_type === null,
      error_type,
      error_message,
      latency_ms: Math.round(clock.monotonic() - began),
    });
    const found = this.#running(pane);
    if ("error_type" in found) return answer(found.error_type, found.error_message);
    try {
      const { state, reason } = await this.#send(found.terminal.id, what);
      return state === "failed" ? answer(TmuxBridgeErrorType.SEND_FAILED, reason ?? "it failed") : answer(null, null);
    } catch (error) {
      return answer(typeOf(error), (error as Error).message);
    }
  }

  #running(pane: string): Found | Missing {
    if (!isPane(pane)) {
      return { error_type: TmuxBridgeErrorType.NO_PANE_ID, error_message: `${JSON.stringify(pane)} is not a pane id` };
    }
    const { agents, store } = this.#ports;
    const agent = agents.active().find(({ tmux_pane_id: id }) => id === pane);
    const terminal = store.terminal(agent?.terminal ?? "");
    if (terminal?.phase === "running" && terminal.place) return { terminal, place: terminal.place };
    return { error_type: TmuxBridgeErrorType.PANE_NOT_FOUND, error_message: `no agent runs in pane ${pane}` };
  }
}

interface Found {
  readonly terminal: TerminalRecord;
  readonly place: PanePlace;
}

interface Missing {
  readonly error_type: BridgeErrorType;
  readonly error_message: string;
}

function isPane(pane: string): boolean {
  return /^%\d+$/.test(pane);
}

function typeOf(error: unknown): BridgeErrorType {
  if (!(error instanceof PanewardError)) return TmuxBridgeErrorType.UNKNOWN;
  if (error.errorType !== undefined) return bridgeType(error.errorType);
  if (error.code === "outcome_unknown") return TmuxBridgeErrorType.TIMEOUT;
  return error.code === "unavailable" ? TmuxBridgeErrorType.SUBPROCESS_FAILED : TmuxBridgeErrorType.SEND_FAILED;
}

// A server that is gone has no panes.
function bridgeType(type: string): BridgeErrorType {
  if (type === "server_lost" || type === "session_not_found") return TmuxBridgeErrorType.PANE_NOT_FOUND;
  return Object.values(TmuxBridgeErrorType).find((one) => one === type) ?? TmuxBridgeErrorType.UNKNOWN;
}
