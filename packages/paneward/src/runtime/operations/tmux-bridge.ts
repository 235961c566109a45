import type { Output } from "@paneward/sdk";
import { codingAgents } from "../../agents/registry.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Caller, Handlers } from "../calls.ts";
import type { Typist } from "../courier/typist.ts";
import type { Clock, HealthLevel, Terminals } from "../ports.ts";
import type { Adopted } from "../terminals/adopted.ts";
import type { World } from "../world.ts";
import { BridgeFailure, bridgeType, bridgeTypeOf } from "./bridge-failure.ts";
import { type BridgePane, type BridgePanesDeps, bridgePane, type PaneName } from "./bridge-panes.ts";

export interface BridgeDeps extends BridgePanesDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly agents: Pick<AgentBook, "of">;
  readonly terminals: Pick<Terminals, "find" | "health" | "screen">;
  readonly typist: Pick<Typist, "sequence" | "press">;
  readonly adopted: Pick<Adopted, "adopt">;
  readonly configFor: World["configFor"];
  readonly send: Handlers["send"];
}

type SendResult = Output<"send_text">;
type HealthResult = Output<"health">;

type What = { readonly text: string } | { readonly keys: readonly string[] };

/** The tmux bridge of the older dashboard, for every pane by its id. It never throws; failures are results. */
export class TmuxBridge {
  readonly #deps: BridgeDeps;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
  }

  sendText(pane: PaneName, text: string, caller: Caller): Promise<SendResult> {
    return this.#sent(pane, { text }, caller);
  }

  sendKeys(pane: PaneName, keys: readonly string[], caller: Caller): Promise<SendResult> {
    return this.#sent(pane, { keys }, caller);
  }

  /** `running`: an agent, or what agents are often run by, is in the foreground; `process_tree`: anywhere below the pane. */
  async checkHealth(pane: PaneName, level: HealthLevel = "command"): Promise<HealthResult> {
    try {
      const { host, place, terminal } = await bridgePane(this.#deps, pane);
      const kind = terminal && this.#deps.agents.of(terminal.id)?.kind;
      const names = [...agentPrograms, ...(kind === undefined ? [] : [kind])];
      const health = await this.#deps.terminals.health(host, place, level, names);
      const { available, running, pid = null, errorType } = health;
      if (errorType === undefined) return { available, running, pid, error_type: null, error_message: null };
      throw new BridgeFailure(bridgeType(errorType), `pane ${pane.pane_id} cannot be looked at: ${errorType}`);
    } catch (error) {
      return { available: false, running: false, pid: null, ...failureOf(error) };
    }
  }

  async #sent(pane: PaneName, what: What, caller: Caller): Promise<SendResult> {
    const { clock } = this.#deps;
    const began = clock.monotonic();
    const latency = () => Math.round(clock.monotonic() - began);
    try {
      await this.#send(await bridgePane(this.#deps, pane), what, caller);
      return { success: true, error_type: null, error_message: null, latency_ms: latency() };
    } catch (error) {
      return { success: false, ...failureOf(error), latency_ms: latency() };
    }
  }

  // What Paneward knows goes by the courier, which types into no dialog; an agent that it does not know yet is adopted.
  async #send(pane: BridgePane, what: What, caller: Caller): Promise<void> {
    const id = pane.terminal?.id ?? (await this.#adopted(pane));
    if (id === undefined) return this.#type(pane, what);
    const { send } = this.#deps;
    const given = "text" in what ? { text: what.text } : { keys: [...what.keys] };
    const usual = { enter: "text" in what, ack: 0, force: false, command: false };
    const { state, reason = "it failed" } = await send({ id, ...usual, ...given }, caller);
    if (state === "failed") throw new BridgeFailure("send_failed", reason);
  }

  async #adopted({ host, place, foreign }: BridgePane): Promise<string | undefined> {
    if (foreign === undefined) return undefined;
    const { terminals, adopted } = this.#deps;
    const runs = async (names: readonly string[]) => (await terminals.health(host, place, "command", names)).running;
    // Most panes run no agent, and each look is a process of tmux.
    if (!(await runs(codingAgents))) return undefined;
    for (const kind of codingAgents) {
      if (await runs([kind])) return (await adopted.adopt(foreign, place.pane, kind)).terminal;
    }
    return undefined;
  }

  async #type({ host, place }: BridgePane, what: What): Promise<void> {
    const { typist, configFor } = this.#deps;
    const { text_enter_delay_ms, sequential_send_delay_ms } = (await configFor()).config.tmux_bridge;
    if ("keys" in what) {
      return typist.press({ host, place }, { keys: what.keys, pauseMs: sequential_send_delay_ms });
    }
    await typist.sequence({ host, place }, async (writer) => {
      await writer.type(what.text);
      if (what.text !== "") await writer.pause(text_enter_delay_ms);
      await writer.press({ keys: ["Enter"], pauseMs: 0 });
    });
  }
}

/** Operations of the bridge, for any door. */
export function bridgeOperations(bridge: TmuxBridge) {
  return {
    send_text: ({ text, ...pane }, caller) => bridge.sendText(pane, text, caller),
    send_keys: ({ keys, ...pane }, caller) => bridge.sendKeys(pane, typeof keys === "string" ? [keys] : keys, caller),
    health: ({ level, ...pane }) => bridge.checkHealth(pane, level),
  } satisfies Partial<Handlers>;
}

const agentPrograms = [...codingAgents, "node"];

function failureOf(error: unknown) {
  return { error_type: bridgeTypeOf(error), error_message: (error as Error).message };
}
