import type { McpServer } from "@modelcontextprotocol/server";
import type { Client, EventType, FollowedEvent } from "@paneward/sdk";
import { resourcesOf } from "./resources.ts";

/** Tells a client that terminals came or went, and that one it subscribed to changed, as the event log says so. */
export function serveChanges({ server }: McpServer, client: Client): void {
  const wanted = new Set<string>();
  const gone = new AbortController();
  server.registerCapabilities({ resources: { listChanged: true, subscribe: true } });
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    wanted.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    wanted.delete(params.uri);
    return {};
  });
  server.oninitialized = async () => {
    const telling = { listChanged: () => server.sendResourceListChanged(), updated: tellUpdated };
    // Without a daemon that lets us follow there is no news; every call says so by itself.
    await tellNews(client.follow({ types: [...comings, ...changes], signal: gone.signal }), telling).catch(() => {});
  };
  server.onclose = () => gone.abort();

  async function tellUpdated(uri: string): Promise<void> {
    if (wanted.has(uri)) await server.sendResourceUpdated({ uri });
  }
}

const comings: readonly EventType[] = ["terminal_opened", "terminal_removed", "task_started", "task_removed"];
const changes: readonly EventType[] = ["terminal_closed", "terminal_status_changed", "task_status_changed"];

interface Telling {
  readonly listChanged: () => Promise<void>;
  readonly updated: (uri: string) => Promise<void>;
}

async function tellNews(news: AsyncIterable<FollowedEvent>, { listChanged, updated }: Telling): Promise<void> {
  for await (const event of news) {
    if (comings.some((type) => type === event.type)) await listChanged();
    for (const uri of "data" in event ? namesIn(event.data).flatMap(resourcesOf) : []) await updated(uri);
  }
}

/** Every word by which somebody may have asked for this terminal. */
function namesIn(data: object): readonly string[] {
  const { terminal, name, task, slug } = data as Readonly<Record<string, string | number | undefined>>;
  return [terminal, name, task, slug].filter((word) => word !== undefined).map(String);
}
