import type { Handlers } from "../runtime/calls.ts";
import { TmuxBridge } from "../runtime/operations/tmux-bridge.ts";

/** The bridge of the older dashboard. It sends like every other caller, in the daemon's own name. */
export function createBridge(deps: ConstructorParameters<typeof TmuxBridge>[0], send: Handlers["send"]): TmuxBridge {
  return new TmuxBridge(deps, (id, { text, keys }) => {
    const what = text === undefined ? { keys: [...(keys ?? [])] } : { text };
    return send({ id, enter: keys === undefined, ack: 0, force: false, command: false, ...what }, daemonCaller);
  });
}

const daemonCaller = { who: "daemon", scope: "admin", door: "daemon" } as const;
