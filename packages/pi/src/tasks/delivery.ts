import type { TaskEvent } from "./events.ts";
import { levelOf, sentences } from "./words.ts";

/** Which events go to the person, by a notice, and which to the model, by a message that starts a turn. */
export interface Division {
  readonly notice: readonly TaskEvent[];
  readonly message: readonly TaskEvent[];
}

/** A start alone, and what the person did, is not news for the model. */
export function divide(events: readonly TaskEvent[]): Division {
  const byUser = events.filter((event) => event.kind === "disappeared" && event.reason === "user-killed");
  const rest = events.filter((event) => !byUser.includes(event));
  const onlyStarted = rest.every(({ kind }) => kind === "started");
  return onlyStarted ? { notice: events, message: [] } : { notice: byUser, message: rest };
}

/** What happened while pi was not running: ends, but neither starts nor what is still visible. */
export function missed(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return events.filter(({ kind }) => kind === "exited" || kind === "disappeared" || kind === "notify");
}

export interface TaskMessageDetails {
  readonly source: "extension";
  readonly notUserInput: true;
  /** Identifies the message when it arrives. */
  readonly id: string;
  readonly sessionId: string;
  readonly sessionName: string;
  readonly level: string;
  readonly events: readonly TaskEvent[];
}

const taskMessageType = "tmux-task-event";

export function taskMessage(
  events: readonly TaskEvent[],
  about: Pick<TaskMessageDetails, "id" | "sessionId" | "sessionName">,
) {
  const details: TaskMessageDetails = {
    source: "extension",
    notUserInput: true,
    ...about,
    level: levelOf(events),
    events,
  };
  return {
    customType: taskMessageType,
    content: `[tmux-task notification]\n${sentences(events)}`,
    display: true,
    details,
  };
}
