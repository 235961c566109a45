import { sendKeys, sendRaw, sendText } from "@paneward/tmux";
import type { PaneInput } from "../runtime/ports.ts";
import type { Hosts } from "./hosts.ts";

/** The pane input port on tmux. */
export function createPaneInput({ on }: Pick<Hosts, "on">): PaneInput {
  return {
    type: (name, place, text, { mark, paste = false, before = "", keys = [] }) =>
      on(name, async (host) => {
        await sendText(host.server, host.pane(place), text, { paste, before, keys, ...marked(mark) });
      }),
    press: (name, place, keys, { mark, pause }) =>
      on(name, async (host) => {
        await sendKeys(host.server, host.pane(place), keys, { pause, ...marked(mark) });
      }),
    raw: (name, place, bytes) => on(name, (host) => sendRaw(host.server, host.pane(place), bytes)),
    clear: (name, place) =>
      on(name, async (host) => {
        const pane = host.pane(place);
        await host.server.run([
          ["send-keys", "-R", "-t", pane],
          ["clear-history", "-t", pane],
        ]);
      }),
  };
}

/** The pane's option that keeps the mark of what was typed or pressed last. */
export const markOption = "@paneward_delivery";

function marked(value: string | undefined) {
  return value === undefined ? {} : { mark: { option: markOption, value } as const };
}
