import type { Terminal } from "../shapes.ts";
import { afterEnd, judged } from "./ends.ts";
import type { Handlers } from "./handlers.ts";
import { changed, type View, without, withStale } from "./view.ts";

type HandledEvent = "terminal_opened" | "terminal_closed" | "terminal_status_changed" | "terminal_removed";

export const terminalHandlers: Handlers<HandledEvent> = {
  terminal_opened: (view, { terminal, name }, at) =>
    withStale(
      change(view, terminal, ({ end: _end, endedAt: _endedAt, ...rest }) => ({
        ...rest,
        ...judged("Running", "daemon", "the program was started", at),
        startedAt: at,
      })),
      "now",
      `${name} was started`,
    ),
  terminal_closed: (view, { terminal, name, end }, at) => {
    const next = change(view, terminal, (one) => ({ ...one, ...afterEnd(end, at), end, endedAt: at }));
    return end.kind === "lost" ? withStale(next, "now", `${name} was lost`) : next;
  },
  terminal_status_changed: (view, { terminal, status, why }) =>
    change(view, terminal, (one) => ({ ...one, status, why })),
  terminal_removed: (view, { terminal }) => ({ ...view, terminals: without(view.terminals, terminal) }),
};

function change(view: View, id: string, how: (terminal: Terminal) => Terminal): View {
  return { ...view, terminals: changed(view.terminals, id, how) };
}
