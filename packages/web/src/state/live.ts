import { PanewardError } from "@paneward/sdk";
import { apply, emptyView, snapshot, type View, withConnection, withStale } from "@paneward/sdk/view";
import { client } from "../api/client.ts";
import { createValue } from "./value.ts";

/** The current state, as of the newest event. */
export const view = createValue<View>(emptyView);
/** Why this browser has no access, if it has none. */
export const accessError = createValue<PanewardError | undefined>(undefined);

let current = emptyView;
let isDrawn = true;

/**
 * Follows the daemon until the signal aborts: lists once, then applies events; lists again when events are not enough.
 */
export async function live(signal: AbortSignal): Promise<void> {
  let listing: Promise<void> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const { stale, connection } = current;
    if (!stale || listing || signal.aborted || connection.kind === "lost") return;
    clearTimeout(later);
    if (stale.when === "soon") {
      later = setTimeout(() => void list(), soonMs);
      return;
    }
    void list();
  };
  const list = async () => {
    listing ??= listed(signal).finally(() => {
      listing = undefined;
    });
    await listing;
    look();
  };
  await list();
  const onConnection = (connected: boolean, reason = "") => {
    // The page of one question took its place.
    if (signal.aborted) return;
    const wasLost = current.connection.kind === "lost";
    change(withConnection(current, connected ? { kind: "connected" } : lost(reason)));
    if (connected && wasLost) change(withStale(current, "now", "the connection is back"));
    look();
  };
  try {
    for await (const event of client.follow({ after: current.lastEvent, signal, onConnection })) {
      change(apply(current, event));
      for (const listener of eventListeners) listener(event);
      look();
    }
  } catch (error) {
    refuse(error);
  }
}

type Followed = Parameters<typeof apply>[1];
const eventListeners = new Set<(event: Followed) => void>();

export function onEvent(listener: (event: Followed) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

const soonMs = 1_500;

async function listed(signal: AbortSignal): Promise<void> {
  try {
    const ps = await client.ps({ all: "true" }, { signal });
    const [{ agents }, { questions }] = await Promise.all([
      client.agents({}, { signal }),
      client.questions({}, { signal }),
    ]);
    change(snapshot(current, { ...ps, agents, questions }));
  } catch (error) {
    if (signal.aborted) return;
    refuse(error);
    change(withConnection(current, lost((error as Error).message)));
  }
}

function lost(reason: string): View["connection"] {
  const { connection } = current;
  return { kind: "lost", reason, since: connection.kind === "lost" ? connection.since : Date.now() };
}

function refuse(error: unknown): void {
  if (error instanceof PanewardError && error.code === "unauthorized") accessError.set(error);
}

// Draw once per frame however many events arrive; a hidden page has no frames but must still update.
function change(next: View): void {
  current = next;
  if (!isDrawn) return;
  isDrawn = false;
  const draw = () => {
    isDrawn = true;
    view.set(current);
  };
  if (document.hidden) setTimeout(draw, 100);
  else requestAnimationFrame(draw);
}
