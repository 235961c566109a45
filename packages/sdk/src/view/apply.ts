import type { EventType, Gap, PanewardEvent } from "../events.ts";
import { agentHandlers } from "./apply-agent.ts";
import { questionHandlers } from "./apply-question.ts";
import { taskHandlers } from "./apply-task.ts";
import { terminalHandlers } from "./apply-terminal.ts";
import { type Handler, type Handlers, noChange } from "./handlers.ts";
import { type View, withStale } from "./view.ts";

/** Applies one event to the view. A repeated or late event changes nothing. */
export function apply(view: View, event: PanewardEvent | Gap): View {
  if (event.type === "gap") return afterGap(view, event);
  if (event.seq <= view.lastEvent) return view;
  const next = applyKnown(view, event);
  const noted = { ...next, lastEvent: event.seq, recent: [...view.recent.slice(-maxRecentEvents + 1), event] };
  return event.seq === view.lastEvent + 1 ? noted : withStale(noted, "now", "some events were missed");
}

const markStale = (view: View, { reason }: { readonly reason: string }) => withStale(view, "now", reason);

const handlers: Handlers<EventType> = {
  ...terminalHandlers,
  ...taskHandlers,
  ...questionHandlers,
  ...agentHandlers,
  restore_offered: (view) => withStale(view, "now", "programs were lost"),
  sessions_changed: markStale,
  tasks_changed: markStale,
  focus_changed: noChange,
  trust_changed: noChange,
  delivery_updated: noChange,
  host_changed: noChange,
  storage_changed: noChange,
  thread_started: noChange,
  thread_message: noChange,
  team_task_changed: noChange,
  team_worker_changed: noChange,
  notice_queued: noChange,
  notice_sent: noChange,
  notice_delivered: noChange,
  notice_failed: noChange,
  notice_unknown: noChange,
  notice_withdrawn: noChange,
  notice_tapped: noChange,
};

// A newer daemon may send event types that this version does not know.
function applyKnown(view: View, { type, data, at }: PanewardEvent): View {
  const handler = Object.hasOwn(handlers, type) ? (handlers[type] as Handler<EventType>) : noChange;
  return handler(view, data, at);
}

// The numbers may also start over, if the daemon has a new database.
function afterGap(view: View, gap: Gap): View {
  return withStale({ ...view, lastEvent: gap.before, recent: [] }, "now", "older events were deleted");
}

const maxRecentEvents = 500;
