import type { McpServer } from "@modelcontextprotocol/server";
import type { Client, EventType, FollowedEvent } from "@paneward/sdk";
import { resourcesOf } from "./resources.ts";

/** Notifies a client when terminals appear or disappear and when a subscribed one changes, driven by the event log. */
export function serveChanges({ server }: McpServer, client: Pick<Client, "follow">): void {
  const subscribed = new Set<string>();
  const closed = new AbortController();
  server.registerCapabilities({ resources: { listChanged: true, subscribe: true } });
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.oninitialized = async () => {
    const notify = { listChanged: () => server.sendResourceListChanged(), updated: notifyUpdated };
    // If events cannot be followed there are no notifications; each call reports its own error.
    await notifyChanges(client.follow({ types: [...listChanges, ...changes], signal: closed.signal }), notify).catch(
      () => {},
    );
  };
  server.onclose = () => closed.abort();

  async function notifyUpdated(uri: string): Promise<void> {
    if (subscribed.has(uri)) await server.sendResourceUpdated({ uri });
  }
}

const listChanges: readonly EventType[] = ["terminal_opened", "terminal_removed", "task_started", "task_removed"];
const changes: readonly EventType[] = ["terminal_closed", "terminal_status_changed", "task_status_changed"];

interface Notifications {
  readonly listChanged: () => Promise<void>;
  readonly updated: (uri: string) => Promise<void>;
}

async function notifyChanges(
  events: AsyncIterable<FollowedEvent>,
  { listChanged, updated }: Notifications,
): Promise<void> {
  for await (const event of events) {
    if (listChanges.some((type) => type === event.type)) await listChanged();
    for (const uri of "data" in event ? namesIn(event.data).flatMap(resourcesOf) : []) await updated(uri);
  }
}

/** Every id and name that a subscription may use for this terminal. */
function namesIn(data: object): readonly string[] {
  const { terminal, name, task, slug } = data as Readonly<Record<string, string | number | undefined>>;
  return [terminal, name, task, slug].filter((word) => word !== undefined).map(String);
}
