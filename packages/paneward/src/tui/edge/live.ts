import { setTimeout as delay } from "node:timers/promises";
import { type Client, PanewardError } from "@paneward/sdk";
import type { Live } from "../state/state.ts";

/**
 * Shows one terminal until aborted. A waiting read signals new output; only then is the screen fetched, and not more
 * often than a person can see.
 */
export async function showLive(
  client: Client,
  terminal: string,
  show: (live: Live) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const begin = await client.read({ id: terminal, lines: tailLines }, { signal });
      let { cursor, state } = begin;
      for (;;) {
        const lines = await screenOf(client, terminal, signal);
        show({ terminal, lines: lines ?? begin.output.split("\n") });
        if (!isAlive(state) || lines === undefined) return;
        await delay(pauseMs, undefined, { signal });
        ({ cursor, state } = await client.read(
          { id: terminal, since: cursor, raw: "true", max_bytes: 1, wait: waitSeconds },
          { signal },
        ));
      }
    } catch (error) {
      if (error instanceof PanewardError && error.row.retry === "no") return;
      // The daemon is away: keep the last screen and retry.
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

const pauseMs = 100;
const retryMs = 1_000;
const waitSeconds = 200;
const tailLines = 100;

function isAlive(state: string): boolean {
  return state === "Running" || state === "Idle" || state === "Waiting";
}

/** Undefined if tmux no longer has the pane; its journal remains. */
async function screenOf(client: Client, id: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    return (await client.screen({ id, escapes: "true" }, { signal })).lines;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
