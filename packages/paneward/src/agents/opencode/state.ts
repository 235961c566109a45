import type { HookPayload } from "../agent.ts";
import { objectIn, textIn } from "../payload.ts";
import type {
  KnownBefore,
  ServerAsked,
  ServerEvent,
  ServerPrompt,
  ServerReading,
  ServerSession,
  ServerState,
} from "../server.ts";
import { permissionAsked, questionAsked } from "./asked.ts";

/** Read at each connection: the folder, the last conversations, which are busy, and the open requests. */
export const catchUp = ["/path", "/session?limit=100", "/session/status", "/permission", "/question"] as const;

export function opencodeBegan(answers: readonly unknown[], { current, startedAt }: KnownBefore): ServerState {
  const [path, sessions, statuses, permissions, questions] = answers;
  const busy = object(statuses);
  const directory = textIn(object(path), "directory") ?? "";
  const there = list(sessions).filter((info) => textIn(info, "directory") === directory);
  const entries = there.map((info): readonly [string, ServerSession] => {
    const id = textIn(info, "id") ?? "";
    return [id, { known: true, busy: isBusy(objectIn(busy, id)), parent: textIn(info, "parentID") }];
  });
  const state: ServerState = {
    directory,
    sessions: Object.fromEntries(entries),
    current,
    latest: undefined,
    given: [],
    asked: [...list(permissions).flatMap(asAsked("permission")), ...list(questions).flatMap(asAsked("question"))],
  };
  const active = [...state.asked.map(({ session }) => session), ...Object.keys(busy)];
  const [latest] = active.flatMap((id) => rootOf(state, id) ?? []);
  return settled({ ...state, latest: latest ?? onlyOneSince(there, startedAt) });
}

// opencode lists the conversations of a folder, those of other processes too: of two, we cannot say which is ours.
function onlyOneSince(sessions: readonly HookPayload[], startedAt: number): string | undefined {
  const since = sessions.filter((info) => {
    const { created } = objectIn(info, "time");
    return textIn(info, "parentID") === undefined && typeof created === "number" && created >= startedAt;
  });
  return since.length === 1 ? textIn(since[0] ?? {}, "id") : undefined;
}

export function afterOpencodeEvent(state: ServerState, { type, properties }: ServerEvent): ServerState {
  const id = textIn(properties, "sessionID") ?? "";
  switch (type) {
    case "session.created":
    case "session.updated":
      return settled(introduced(state, id, objectIn(properties, "info"), type === "session.created"));
    case "session.deleted": {
      const { [id]: _gone, ...sessions } = state.sessions;
      return settled({ ...state, sessions });
    }
    case "session.status":
      return settled(moved(state, id, isBusy(objectIn(properties, "status"))));
    case "session.idle":
      return settled(moved(state, id, false));
    case "message.updated":
      return messaged(state, id, objectIn(properties, "info"));
    case "permission.asked":
    case "question.asked":
      return settled(waiting(state, asAsked(type === "permission.asked" ? "permission" : "question")(properties)));
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return settled({ ...state, asked: state.asked.filter((one) => one.id !== textIn(properties, "requestID")) });
    default:
      return state;
  }
}

/** A prompt's text is an event of its own. What opencode adds to a prompt is marked as such. */
export function opencodePrompted(state: ServerState, { type, properties }: ServerEvent): ServerPrompt | undefined {
  if (type !== "message.part.updated") return undefined;
  const part = objectIn(properties, "part");
  const message = state.given.find(({ id }) => id === textIn(part, "messageID"));
  const text = textIn(part, "text");
  const isGiven = textIn(part, "type") === "text" && part.synthetic !== true;
  return message && text !== undefined && isGiven ? { text, at: message.at, called: message.id } : undefined;
}

function messaged(state: ServerState, session: string, info: HookPayload): ServerState {
  const [id, { created }] = [textIn(info, "id"), objectIn(info, "time")];
  const isPerson = textIn(info, "role") === "user" && state.sessions[session]?.parent === undefined;
  if (!isPerson || id === undefined || typeof created !== "number") return state;
  const others = state.given.filter((one) => one.id !== id);
  return { ...state, given: [...others, { id, at: created }].slice(-rememberedPrompts) };
}

const rememberedPrompts = 50;

/** What opencode does now; undefined while no conversation is known. */
export function readOpencodeState(state: ServerState): ServerReading | undefined {
  const { current, sessions, directory } = state;
  if (current === undefined) return undefined;
  const [asked, ...more] = state.asked.filter(({ session }) => rootOf(state, session) === current);
  if (!asked) {
    // A conversation is created for a prompt, which follows a moment later.
    if (sessions[current]?.isYoung) return undefined;
    return sessions[current]?.busy
      ? { reading: { says: "working", rule: "session.status: its session is busy" } }
      : { reading: { says: "idle", rule: "session.idle: its session is idle" } };
  }
  if (asked.kind === "permission") {
    const tool = textIn(asked.payload, "permission") ?? "a tool";
    const rule = `permission.asked: it asks for permission to use ${tool}`;
    return {
      reading: { says: "needs_input", rule },
      question: permissionAsked(asked.payload, directory),
      ...othersOf(more, directory),
    };
  }
  const question = questionAsked(asked.payload);
  return {
    reading: { says: "needs_input", rule: "question.asked: it asks a question" },
    ...(question && { question, ...othersOf(more, directory) }),
  };
}

// Subagents ask beside their conversation, and tools beside each other.
function othersOf(more: readonly ServerAsked[], directory: string): Pick<ServerReading, "others"> {
  const others = more.flatMap(({ kind, payload }) =>
    kind === "permission" ? permissionAsked(payload, directory) : (questionAsked(payload) ?? []),
  );
  return others.length > 0 ? { others } : {};
}

function introduced(state: ServerState, id: string, info: HookPayload, isNew: boolean): ServerState {
  if (id === "" || textIn(info, "directory") !== state.directory) return state;
  const before = state.sessions[id];
  const isYoung = before?.isYoung ?? (isNew && !before);
  const session = { known: true, busy: before?.busy ?? false, parent: textIn(info, "parentID"), isYoung };
  const becomesLatest = session.parent === undefined && (isNew || (session.busy && before?.known !== true));
  return { ...state, sessions: { ...state.sessions, [id]: session }, ...(becomesLatest && { latest: id }) };
}

function moved(state: ServerState, id: string, busy: boolean): ServerState {
  if (id === "") return state;
  const before = state.sessions[id] ?? { known: false, busy: false, parent: undefined };
  const sessions = { ...state.sessions, [id]: { ...before, busy, isYoung: false } };
  const becomesLatest = busy && !before.busy && before.known && before.parent === undefined;
  return { ...state, sessions, ...(becomesLatest && { latest: id }) };
}

function waiting(state: ServerState, [asked]: readonly ServerAsked[]): ServerState {
  if (!asked || state.asked.some(({ id }) => id === asked.id)) return state;
  const session = state.sessions[asked.session];
  const sessions = session ? { ...state.sessions, [asked.session]: { ...session, isYoung: false } } : state.sessions;
  return { ...state, sessions, asked: [...state.asked, asked] };
}

// A conversation that works or asks stays current; otherwise the latest one becomes it.
function settled(state: ServerState): ServerState {
  const { current, latest, sessions } = state;
  const isThere = current !== undefined && sessions[current]?.known === true;
  if (isThere && isActive(state, current)) return state;
  if (latest !== undefined && sessions[latest]?.known) return { ...state, current: latest };
  return isThere ? state : { ...state, current: undefined };
}

function isActive(state: ServerState, root: string): boolean {
  return state.sessions[root]?.busy === true || state.asked.some(({ session }) => rootOf(state, session) === root);
}

/** The conversation that a session belongs to: a subagent's is that of its parent. */
function rootOf({ sessions }: ServerState, id: string): string | undefined {
  let at = id;
  for (let step = 0; step < maxDepth; step++) {
    const session = sessions[at];
    if (!session?.known) return undefined;
    if (session.parent === undefined) return at;
    at = session.parent;
  }
  return undefined;
}

const maxDepth = 20;

function asAsked(kind: ServerAsked["kind"]): (payload: HookPayload) => readonly ServerAsked[] {
  return (payload) => {
    const [id, session] = [textIn(payload, "id"), textIn(payload, "sessionID")];
    return id === undefined || session === undefined ? [] : [{ id, session, kind, payload }];
  };
}

function isBusy(status: HookPayload): boolean {
  const type = textIn(status, "type");
  return type !== undefined && type !== "idle";
}

function object(value: unknown): HookPayload {
  return objectIn({ value }, "value");
}

function list(value: unknown): readonly HookPayload[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
