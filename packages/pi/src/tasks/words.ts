import type { NoticeLevel } from "../pi/api.ts";
import type { TaskEvent } from "./events.ts";

/** One line per task, with its last output where useful. */
export function sentences(events: readonly TaskEvent[]): string {
  return collapsed(events).map(sentence).join("\n");
}

export function levelOf(events: readonly TaskEvent[]): NoticeLevel {
  return events.some(isWarning) ? "warning" : "info";
}

type CollapsedEvent = { readonly event: TaskEvent; readonly rangFirst: boolean };

// A bell and an exit of one task in one look are reported as one.
function collapsed(events: readonly TaskEvent[]): readonly CollapsedEvent[] {
  const ended = new Set(events.filter(({ kind }) => kind === "exited").map(({ windowId }) => windowId));
  const rang = new Set(events.filter(({ kind }) => kind === "notify").map(({ windowId }) => windowId));
  return events
    .filter((event) => !(event.kind === "notify" && ended.has(event.windowId)))
    .map((event) => ({ event, rangFirst: event.kind === "exited" && rang.has(event.windowId) }));
}

function sentence({ event, rangFirst }: CollapsedEvent): string {
  const subject = `tmux task ${event.windowId} (${event.windowName})`;
  switch (event.kind) {
    case "started":
      return `${subject} started`;
    case "notify":
      return `${subject} sent a terminal notification${recentOutput(event.outputPreview)}`;
    case "input":
      return `${subject} is waiting for input: ${event.prompt}`;
    case "disappeared":
      return `${subject} disappeared from session${event.reason ? " after the user manually killed it" : ""}`;
    case "exited": {
      const rang = rangFirst ? "sent a terminal notification, then " : "";
      return `${subject} ${rang}${ending(event)}${recentOutput(event.outputPreview)}`;
    }
  }
}

function ending({ exitCode, exitSignal }: { readonly exitCode?: number; readonly exitSignal?: number }): string {
  if (exitSignal !== undefined) return `was killed by signal ${exitSignal}`;
  return exitCode === undefined ? "exited with unknown code" : `exited with code ${exitCode}`;
}

function recentOutput(preview = ""): string {
  const lines = lastLines(preview, 3);
  return lines.length === 0 ? "" : `\n  recent output:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** The last lines that have text. */
export function lastLines(preview: string, count: number): readonly string[] {
  return preview
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-count);
}

function isWarning(event: TaskEvent): boolean {
  if (event.kind === "exited") return event.exitCode !== 0;
  return event.kind === "input" || event.kind === "disappeared";
}
