import { type Delivery, PanewardError } from "@paneward/sdk";
import type { TerminalRecord } from "../model/records.ts";
import type { HealthLevel } from "./ports.ts";
import type { Runtime } from "./runtime.ts";

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
}

/** Types by the courier, so that nothing else ever types into a pane. */
export type Send = (
  terminal: string,
  what: { readonly text?: string; readonly keys?: readonly string[] },
) => Promise<Delivery>;

/** The bridge of the older dashboard, by pane id. Its calls answer, they never throw. */
export class TmuxBridge {
  readonly #rt: Runtime;
  readonly #send: Send;

  constructor(rt: Runtime, send: Send) {
    this.#rt = rt;
    this.#send = send;
  }

  sendText(pane: string, text: string): Promise<SendResult> {
    return this.#sent(pane, { text });
  }

  sendKeys(pane: string, keys: readonly string[]): Promise<SendResult> {
    return this.#sent(pane, { keys });
  }

  async checkHealth(pane: string, level: HealthLevel = "exists"): Promise<HealthResult> {
    const terminal = this.#terminalAt(pane);
    if (!terminal?.place) {
      const error_type = isPane(pane) ? TmuxBridgeErrorType.PANE_NOT_FOUND : TmuxBridgeErrorType.NO_PANE_ID;
      return { available: false, running: false, pid: null, error_type };
    }
    const kind = this.#rt.agents.of(terminal.id)?.kind;
    const names = kind === undefined ? [] : [kind];
    const health = await this.#rt.terminals.health(terminal.host, terminal.place, level, names);
    const { available, running, pid, errorType } = health;
    return { available, running, pid: pid ?? null, error_type: errorType === undefined ? null : bridgeType(errorType) };
  }

  async #sent(pane: string, what: Parameters<Send>[1]): Promise<SendResult> {
    const began = performance.now();
    const answer = (error_type: BridgeErrorType | null, error_message: string | null): SendResult => ({
      success: error_type === null,
      error_type,
      error_message,
      latency_ms: Math.round(performance.now() - began),
    });
    if (!isPane(pane)) return answer(TmuxBridgeErrorType.NO_PANE_ID, `${JSON.stringify(pane)} is no pane id`);
    const terminal = this.#terminalAt(pane);
    if (!terminal) return answer(TmuxBridgeErrorType.PANE_NOT_FOUND, `no agent lives in pane ${pane}`);
    try {
      const { state, reason } = await this.#send(terminal.id, what);
      return state === "failed" ? answer(TmuxBridgeErrorType.SEND_FAILED, reason ?? "it failed") : answer(null, null);
    } catch (error) {
      return answer(sendType(error), (error as Error).message);
    }
  }

  #terminalAt(pane: string): TerminalRecord | undefined {
    const agent = this.#rt.agents.living().find(({ tmux_pane_id: id }) => id === pane);
    const terminal = agent?.terminal === undefined ? undefined : this.#rt.store.terminal(agent.terminal);
    return terminal?.phase === "running" ? terminal : undefined;
  }
}

function isPane(pane: string): boolean {
  return /^%\d+$/.test(pane);
}

function sendType(error: unknown): BridgeErrorType {
  if (!(error instanceof PanewardError)) return TmuxBridgeErrorType.UNKNOWN;
  if (error.code === "outcome_unknown") return TmuxBridgeErrorType.TIMEOUT;
  return error.code === "unavailable" ? TmuxBridgeErrorType.SUBPROCESS_FAILED : TmuxBridgeErrorType.SEND_FAILED;
}

function bridgeType(type: string): BridgeErrorType {
  return Object.values(TmuxBridgeErrorType).find((one) => one === type) ?? TmuxBridgeErrorType.UNKNOWN;
}
