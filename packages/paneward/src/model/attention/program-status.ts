import { ownValue } from "@paneward/sdk";
import { reportedEndMs } from "../timing.ts";
import type { Says } from "./evidence.ts";
import type { Sequence } from "./sequences.ts";

/** What a program reports of itself and of its parts by OSC 7501, the Program Status Protocol; the root has no name. */
export type ProgramStatus = ReadonlyMap<string, Reported>;

export interface Reported {
  readonly state: State;
  readonly kind?: string;
  readonly message?: string;
  readonly at: number;
}

type State = "idle" | "working" | "blocked" | "done" | "error";

export const noStatus: ProgramStatus = new Map();

/** What is known after a sequence. An invalid report changes nothing. */
export function afterSequence(before: ProgramStatus, sequence: Sequence, at: number): ProgramStatus {
  if (sequence.kind === "reset") return noStatus;
  // A shell shows its prompt: the program that worked or waited before it has ended.
  if (/^133;A(;|$)/.test(sequence.body))
    return without(before, ({ state }) => state === "working" || state === "blocked");
  const report = sequence.body.startsWith(code) ? readReport(sequence.body.slice(code.length)) : undefined;
  if (!report) return before;
  const { id, state, ...more } = report;
  if (state === "clear") return without(before, (_, name) => id === "" || name === id || name.startsWith(`${id}/`));
  const after = new Map(without(before, (_, name) => name === id));
  after.set(id, { state, ...more, at });
  const [oldest] = after.keys();
  if (after.size > maxRecords && oldest !== undefined) after.delete(oldest);
  return after;
}

/**
 * Something was printed: an older report of `done` or `error` is outdated, and one of `blocked`, unless the program redraws
 * while it waits.
 */
export function afterOutput(before: ProgramStatus, at: number, redraws: boolean): ProgramStatus {
  return without(before, (one) => isOver(one, at) && !(redraws && one.state === "blocked"));
}

/** Whether output now ends a report of `blocked`, if the program does not redraw. */
export function endsWaiting(status: ProgramStatus, at: number): boolean {
  return [...status.values()].some((one) => one.state === "blocked" && isOver(one, at));
}

function isOver({ state, at: reportedAt }: Reported, at: number): boolean {
  return (state === "done" || state === "error" || state === "blocked") && at > reportedAt + reportedEndMs;
}

/** The most urgent of its reports; of equals the newest. */
export function reportedBy(
  status: ProgramStatus,
): { readonly says: Says; readonly rule: string; readonly at: number } | undefined {
  const newestFirst = [...status.values()].reverse();
  const lead =
    newestFirst.find(({ state }) => state === "blocked") ??
    newestFirst.find(({ state }) => state === "working") ??
    newestFirst[0];
  if (!lead) return undefined;
  const { state, kind, message, at } = lead;
  const waits =
    state === "blocked" && kind !== undefined ? ` for ${ownValue(waitsFor, kind) ?? "something unknown"}` : "";
  const rule = `its output says ${words[state]}${waits}${message === undefined ? "" : `: ${message}`}`;
  return { says: says[state], rule, at };
}

const code = "7501;";
const maxRecords = 256;
const maxMessage = 200;

const says: Readonly<Record<State, Says>> = {
  idle: "idle",
  working: "working",
  blocked: "needs_input",
  done: "idle",
  error: "idle",
};
const words: Readonly<Record<State, string>> = {
  idle: "that it is idle",
  working: "that it works",
  blocked: "that it waits",
  done: "that it is done",
  error: "that it failed",
};
const waitsFor: Readonly<Record<string, string>> = {
  permission: "a permission",
  question: "an answer",
  auth: "a login",
};

interface Report {
  readonly id: string;
  readonly state: State | "clear";
  readonly kind?: string;
  readonly message?: string;
}

// `state=blocked:app=codex:kind=permission:msg=BASE64`; unknown fields are ignored.
function readReport(text: string): Report | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined;
  const fields = new Map<string, string>();
  for (const field of text.split(":")) {
    const [, name = "", value = ""] = /^([a-z][a-z0-9_-]*)=(.*)$/.exec(field) ?? [];
    if (name === "" || fields.has(name)) return undefined;
    fields.set(name, value);
  }
  const [state, id, msg, kind] = ["state", "id", "msg", "kind"].map((name) => fields.get(name));
  if (!isState(state) || (id !== undefined && !isId(id))) return undefined;
  const message = msg === undefined ? "" : decoded(msg);
  if (message === undefined) return undefined;
  return {
    id: id ?? "",
    state,
    ...(kind === undefined ? {} : { kind }),
    ...(message === "" ? {} : { message }),
  };
}

function isState(text: string | undefined): text is State | "clear" {
  return text === "clear" || (text !== undefined && Object.hasOwn(words, text));
}

function isId(text: string): boolean {
  return text.length <= 128 && /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+){0,7}$/.test(text);
}

// Undefined for invalid base64 or UTF-8, and for control characters. Invisible marks are removed: they can reverse text.
function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /\p{Cc}/u.test(text)
      ? undefined
      : text
          .replaceAll(/\p{Cf}/gu, "")
          .trim()
          .slice(0, maxMessage);
  } catch {
    return undefined;
  }
}

function without(status: ProgramStatus, isOver: (one: Reported, id: string) => boolean): ProgramStatus {
  const left = [...status].filter(([id, one]) => !isOver(one, id));
  return left.length === status.size ? status : new Map(left);
}
