import type { End, NoticeKind, PanewardEvent, Question, Why } from "@paneward/sdk";
import type { Fact, Subject } from "./notice.ts";

/** What an event means for notices. */
export type News =
  | { readonly kind: "stands"; readonly fact: Fact }
  /** What was shown of it has changed. */
  | { readonly kind: "changed"; readonly key: string }
  | { readonly kind: "over"; readonly keys: readonly string[]; readonly why: string; readonly answered: boolean };

/** What is known of the things that events name. */
export interface Lookup {
  readonly task: (id: number) => Subject | undefined;
  readonly terminal: (id: string) => Subject | undefined;
}

/** What of an event a person may need to know. Most events have nothing. */
export function newsOf(event: PanewardEvent, lookup: Lookup): readonly News[] {
  switch (event.type) {
    case "question_opened":
      return [
        stands(
          `question ${event.data.question.id}`,
          "question",
          asker(event.data.question, lookup),
          "asks",
          event.data.question.id,
        ),
      ];
    case "question_changed":
      return [{ kind: "changed", key: `question ${event.data.question.id}` }];
    case "question_closed":
      return [over([`question ${event.data.question.id}`], event.data.by)];
    case "task_status_changed":
      return ofStatus(`task ${event.data.task}`, ofTask(event.data, lookup), event.data);
    case "terminal_status_changed":
      return ofStatus(event.data.terminal, ofTerminal(event.data, lookup), event.data);
    case "task_exited":
      return [
        ...ended(`task ${event.data.task}`, "it ended"),
        ofEnd(`task ${event.data.task}`, ofTask(event.data, lookup), event.data.end, "task"),
      ];
    case "task_lost":
      return [
        ...ended(`task ${event.data.task}`, "it is lost"),
        stands(`end task ${event.data.task}`, "failed", ofTask(event.data, lookup), `is lost: ${event.data.reason}`),
      ];
    case "terminal_closed":
      return [
        ...ended(event.data.terminal, "it ended"),
        ...(event.data.end.kind === "stopped"
          ? []
          : [ofEnd(event.data.terminal, ofTerminal(event.data, lookup), event.data.end, "terminal")]),
      ];
    case "task_started":
    case "task_stopped":
    case "task_completed":
    case "task_reset":
    case "task_removed":
      return ended(`task ${event.data.task}`, afterwards[event.type]);
    case "terminal_opened":
    case "terminal_removed":
      return ended(event.data.terminal, afterwards[event.type]);
    case "team_task_changed":
      return ofTeam(event.data);
    case "host_changed":
      return ofHost(event.data);
    case "restore_offered":
      return ofLost(event.data);
    default:
      return [];
  }
}

const afterwards = {
  task_started: "it was started again",
  task_stopped: "it was stopped",
  task_completed: "it was marked as completed",
  task_reset: "it was reset",
  task_removed: "it was removed",
  terminal_opened: "it runs again",
  terminal_removed: "it was removed",
} as const;

/** Ends every lasting condition of a task or terminal. Questions are not among them: they are closed by themselves. */
function ended(of: string, why: string): readonly News[] {
  return [
    over(
      ["end", ...details, "idle"].map((word) => `${word} ${of}`),
      why,
    ),
  ];
}

function ofStatus(
  of: string,
  subject: Subject,
  { status, before, why }: { readonly status: string; readonly before: string; readonly why: Why },
): readonly News[] {
  const detail = details.find((one) => one === why.detail);
  const gone = details.filter((one) => one !== detail).map((one) => `${one} ${of}`);
  const isDone = status === "Idle" && before === "Running" && detail === undefined;
  return [
    over(isDone ? gone : [...gone, `idle ${of}`], "it changed"),
    ...(detail === undefined ? [] : [stands(`${detail} ${of}`, kindOf[detail], subject, wordsOf[detail])]),
    ...(isDone ? [stands(`idle ${of}`, "idle", subject, "is done, and waits for the next prompt")] : []),
  ];
}

const details = ["quota_reached", "login_expired", "stuck"] as const;
const kindOf = { quota_reached: "quota", login_expired: "login", stuck: "stuck" } as const;
const wordsOf = {
  quota_reached: "has reached its quota",
  login_expired: "must be logged in again",
  stuck: "seems to be stuck",
} as const;

function ofEnd(of: string, subject: Subject, end: End, what: "task" | "terminal"): News {
  const isGood = end.kind === "exited" && end.code === 0;
  const kind: NoticeKind = what === "terminal" ? "ended" : isGood ? "finished" : "failed";
  return stands(`end ${of}`, kind, subject, endWords(end));
}

function endWords(end: End): string {
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? "finished" : `failed with code ${end.code}`;
    case "killed":
      return `was killed by signal ${end.signal}`;
    case "lost":
      return `is lost: ${end.reason}`;
    case "stopped":
      return `was stopped by ${end.by}`;
    case "unknown":
      return "ended, and how is not known";
  }
}

function ofTeam({
  task,
  change,
}: {
  readonly task: { readonly id: string; readonly title: string };
  readonly change: string;
}): readonly News[] {
  const done = change === "task_completed" ? "was completed" : change === "task_failed" ? "failed" : undefined;
  return done === undefined ? [] : [stands(`team ${task.id}`, "team", { name: task.id }, done)];
}

// A host is asked by single commands while its connection cannot be used.
function ofHost({ host, state }: { readonly host: string; readonly state: string }): readonly News[] {
  const key = `host ${host}`;
  // The tmux server here is no other place: what runs in it says by itself that it is lost.
  if (host === "local") return [];
  if (state === "control") return [over([key], "it is connected again")];
  return [stands(key, "away", { name: host }, "has lost its connection")];
}

// Once for all of them, beside the notice of each.
function ofLost({ can, cannot }: { readonly can: number; readonly cannot: number }): readonly News[] {
  if (can === 0) return [over(["restore"], "nothing is left to restore")];
  const words = `${can === 1 ? "program was" : "programs were"} lost and can be restored: paneward restore --all`;
  return [stands("restore", "away", { name: String(can) }, cannot === 0 ? words : `${words}; ${cannot} cannot`)];
}

function asker({ task, terminal }: Question, lookup: Lookup): Subject {
  return (
    (task === undefined ? undefined : lookup.task(task)) ?? lookup.terminal(terminal) ?? { terminal, name: terminal }
  );
}

function ofTask({ task, slug }: { readonly task: number; readonly slug: string }, lookup: Lookup): Subject {
  return lookup.task(task) ?? { task, name: slug };
}

function ofTerminal({ terminal, name }: { readonly terminal: string; readonly name: string }, lookup: Lookup): Subject {
  return lookup.terminal(terminal) ?? { terminal, name };
}

function stands(key: string, kind: NoticeKind, subject: Subject, words: string, question?: string): News {
  return { kind: "stands", fact: { key, kind, subject, words, ...(question === undefined ? {} : { question }) } };
}

function over(keys: readonly string[], why: string): News {
  return { kind: "over", keys, why, answered: why.startsWith("answered by") };
}
