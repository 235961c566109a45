import type { EventType, Gap, PanewardEvent } from "../events.ts";
import { agentHandlers } from "./apply-agent.ts";
import { questionHandlers } from "./apply-question.ts";
import { taskHandlers } from "./apply-task.ts";
import { terminalHandlers } from "./apply-terminal.ts";
import { type Handler, type Handlers, noChange } from "./handlers.ts";
import { type View, withStale } from "./view.ts";

/** What one event makes of the view. An event that was seen before, or comes late, changes nothing. */
export function apply(view: View, event: PanewardEvent | Gap): View {
  if (event.type === "gap") return afterGap(view, event);
  if (event.seq <= view.lastEvent) return view;
  const next = told(view, event);
  const noted = { ...next, lastEvent: event.seq, recent: [...view.recent.slice(-keptEvents + 1), event] };
  return event.seq === view.lastEvent + 1 ? noted : withStale(noted, "now", "some events did not arrive");
}

const lookAgain = (view: View, { reason }: { readonly reason: string }) => withStale(view, "now", reason);

const handlers: Handlers<EventType> = {
  ...terminalHandlers,
  ...taskHandlers,
  ...questionHandlers,
  ...agentHandlers,
  sessions_changed: lookAgain,
  tasks_changed: lookAgain,
  focus_changed: noChange,
  delivery_updated: noChange,
  host_changed: noChange,
  thread_started: noChange,
  thread_message: noChange,
  team_task_changed: noChange,
  team_worker_changed: noChange,
};

// A newer daemon may tell of things that this version does not know.
function told(view: View, { type, data, at }: PanewardEvent): View {
  const handler = Object.hasOwn(handlers, type) ? (handlers[type] as Handler<EventType>) : noChange;
  return handler(view, data, at);
}

// The numbers may also begin again, when the daemon has another database now.
function afterGap(view: View, gap: Gap): View {
  return withStale({ ...view, lastEvent: gap.before, recent: [] }, "now", "older events are gone");
}

const keptEvents = 500;
