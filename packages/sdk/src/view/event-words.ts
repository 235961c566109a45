import type { EventData, EventType } from "../events.ts";
import { ownValue } from "../own-value.ts";
import type { Question } from "../shapes.ts";
import { restoreWords } from "../text/restore-words.ts";
import { doubtWords } from "./approval.ts";
import { afterEnd } from "./ends.ts";
import { askedWords } from "./words.ts";

/** An event as one line for people. An unknown type comes from a newer daemon. */
export function eventWords(type: string, data: unknown): string {
  const words = ownValue<(data: never) => string>(table, type);
  try {
    return words ? words(data as never) : JSON.stringify(data);
  } catch {
    return JSON.stringify(data);
  }
}

const table: { readonly [Type in EventType]: (data: EventData[Type]) => string } = {
  terminal_opened: (data) => `${terminal(data)} ${data.restarted ? "runs again" : "runs"} ${data.argv.join(" ")}`,
  terminal_closed: (data) => `${terminal(data)}: ${afterEnd(data.end, 0).why.rule}`,
  terminal_status_changed: (data) => `${terminal(data)} ${change(data)}`,
  terminal_removed: (data) => `${terminal(data)} is removed`,
  task_created: (data) => `${task(data)} for ${data.agent} in ${data.root}${data.draft ? ", as a draft" : ""}`,
  task_started: (data) => `${task(data)} runs in ${data.terminal}`,
  task_progress: (data) => `${task(data)}: ${data.text}`,
  task_status_changed: (data) => `${task(data)} ${change(data)}`,
  task_stopped: (data) => `${task(data)} stopped by ${data.by}`,
  task_exited: (data) => `${task(data)}: ${afterEnd(data.end, 0).why.rule}`,
  task_lost: (data) => `${task(data)} is lost: ${data.reason}`,
  task_completed: (data) => `${task(data)} marked as completed by ${data.by}`,
  task_merged: (data) =>
    `${task(data)}: ${data.commits} ${data.commits === 1 ? "commit" : "commits"} into ${data.base}`,
  task_reset: (data) => `${task(data)} was reset${kept(data.rescue)}`,
  task_removed: (data) => `${task(data)} is removed${kept(data.rescue)}`,
  task_restored: (data) => `${task(data)} was restored`,
  task_notified: (data) => `${task(data)} rang the bell`,
  task_needs_input: (data) => `${task(data)} asks: ${data.text}`,
  task_disappeared: (data) => `${task(data)}: its tmux session was closed from outside Paneward`,
  trust_changed: (data) => `${data.root} is ${data.trusted ? "trusted" : "no longer trusted"}, by ${data.by}`,
  question_opened: ({ question }) => `${asker(question)} asks: ${askedWords(question)}${doubt(question)}`,
  question_changed: ({ question }) =>
    `${asker(question)} updated its question: ${askedWords(question)}${doubt(question)}`,
  question_closed: ({ question, by }) => `${asker(question)}: ${by}`,
  session_created: (data) => `${agent(data)}, ${data.kind}, ${data.adopted ? "is adopted" : "begins"}`,
  session_ended: (data) => `${agent(data)} ended: ${data.reason}`,
  state_changed: (data) => `${agent(data)}: ${data.before} → ${data.state}`,
  turn_created: ({ turn }) => `${turn.agent}, ${turn.actor} ${turn.intent}: ${turn.text}`,
  commander_availability: (data) => `${data.agent_id} can${data.available ? "" : "not"} be answered`,
  restore_offered: (data) => restoreWords(data) ?? "no lost program is left",
  sessions_changed: (data) => data.reason,
  tasks_changed: (data) => data.reason,
  focus_changed: (data) => `a user is viewing ${data.id}`,
  delivery_updated: (data) => `to ${data.terminal}: ${data.state}${because(data.reason)}`,
  storage_changed: (data) => `storage: ${data.state}${because(data.reason)}`,
  host_changed: (data) => `${data.host}: ${data.state}${because(data.reason)}`,
  thread_started: ({ thread }) => `${thread.id} ${thread.title}, by ${thread.startedBy} (team ${thread.teamId})`,
  thread_message: (data) => `${data.from} in ${data.thread} ${data.title}: ${data.summary}`,
  team_task_changed: (data) => `${data.task.id} ${data.task.title}: ${data.change} by ${data.by}`,
  notice_queued: (data) => `${notice(data)} is to be sent${because(data.reason)}`,
  notice_sent: (data) => `${notice(data)} was sent`,
  notice_delivered: (data) => `${notice(data)} arrived`,
  notice_failed: (data) => `${notice(data)} was not sent${because(data.reason)}`,
  notice_unknown: (data) => `${notice(data)} may have been sent${because(data.reason)}`,
  notice_withdrawn: (data) => `${notice(data)} was withdrawn${because(data.reason)}`,
  notice_tapped: (data) =>
    `${notice(data)}, a button ${data.outcome === "answered" ? "answered" : "was refused"}: ${data.words}`,
  team_worker_changed: (data) => `${data.worker.session}: ${data.change}`,
};

function doubt(question: Question): string {
  const words = doubtWords(question);
  return words === undefined ? "" : ` (${words})`;
}

function notice({
  notice: id,
  channel,
  kind,
}: {
  readonly notice: string;
  readonly channel: string;
  readonly kind: string;
}) {
  return `${id} (${kind}) to ${channel}`;
}

function terminal({ terminal: id, name }: { readonly terminal: string; readonly name: string }): string {
  return `${id} ${name}`;
}

function task({ task: id, slug }: { readonly task: number; readonly slug: string }): string {
  return `task ${id} ${slug}`;
}

function agent({ agent: id, name }: { readonly agent: string; readonly name: string }): string {
  return `${id} ${name}`;
}

function asker({ task: id, terminal: place }: Question): string {
  return id === undefined ? place : `task ${id}`;
}

function change({ before, status, why }: EventData["task_status_changed"] | EventData["terminal_status_changed"]) {
  return `${before} → ${status}: ${why.rule}`;
}

function kept(rescue: string | undefined): string {
  return rescue === undefined ? "" : `; its work is kept under ${rescue}`;
}

function because(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : `, ${reason}`;
}
