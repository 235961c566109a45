import { PanewardError } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import type { FoundProgram, Store, Terminals } from "../ports.ts";
import { foreignHost, foreignSocket, plainSocket } from "../terminals/foreign-host.ts";
import type { World } from "../world.ts";
import { BridgeFailure, bridgeTypeOf } from "./bridge-failure.ts";

export interface BridgePanesDeps extends Pick<World, "env" | "places"> {
  readonly store: Pick<Store, "terminals">;
  readonly terminals: Pick<Terminals, "find">;
}

/** A pane as a caller names it. */
export interface PaneName {
  readonly pane_id: string;
  readonly socket?: string | undefined;
}

export interface BridgePane extends FoundProgram {
  readonly host: string;
  /** The socket, in a server that is not Paneward's own. */
  readonly foreign: string | undefined;
  readonly terminal: TerminalRecord | undefined;
}

/**
 * The one pane of this id: on the named server, else on Paneward's own, on the one that plain tmux reaches, and on those
 * of adopted agents. Ids are unique only within a server; with two such panes nothing is typed.
 */
export async function bridgePane(deps: BridgePanesDeps, { pane_id: pane, socket }: PaneName): Promise<BridgePane> {
  if (!/^%\d+$/.test(pane))
    throw new BridgeFailure("no_pane_id", `${JSON.stringify(pane)} is not a pane id such as %12`);
  const hosts =
    socket === undefined ? knownHosts(deps) : [socket === deps.places.tmuxSocket ? own : foreignHost(socket)];
  const looked = await Promise.all(hosts.map((host) => lookOn(deps, host, pane)));
  const [found, ...others] = looked.flatMap((one) => ("place" in one ? [one] : []));
  if (found && others.length > 0) {
    const sockets = [found, ...others].map(({ foreign = deps.places.tmuxSocket }) => foreign);
    throw new BridgeFailure("no_pane_id", `several servers have a pane ${pane}; give socket: ${sockets.join(" or ")}`);
  }
  if (found) return found;
  const failures = looked.flatMap((one) => ("failure" in one ? [one.failure] : []));
  throw (
    failures.find(({ type }) => type !== "pane_not_found") ??
    new BridgeFailure("pane_not_found", `there is no pane ${pane}`)
  );
}

const own = "local";

function knownHosts({ env, store }: BridgePanesDeps): readonly string[] {
  const adopted = store.terminals().filter((one) => one.adopted && one.phase === "running");
  return [...new Set([own, foreignHost(plainSocket(env)), ...adopted.map(({ host }) => host)])];
}

async function lookOn(
  { store, terminals }: BridgePanesDeps,
  host: string,
  pane: string,
): Promise<BridgePane | { readonly failure: BridgeFailure }> {
  try {
    const found = await terminals.find(host, pane);
    if (!found) return { failure: new BridgeFailure("pane_not_found", `there is no pane ${pane}`) };
    const { server } = found.place;
    const terminal = store
      .terminals()
      .find(({ phase, place }) => phase === "running" && place?.pane === pane && place.server === server);
    return { ...found, host, foreign: foreignSocket(host), terminal };
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    return { failure: new BridgeFailure(bridgeTypeOf(error), error.message) };
  }
}
