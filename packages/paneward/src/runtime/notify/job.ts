import { createHash, randomBytes } from "node:crypto";
import type { ChannelConfig, Question } from "@paneward/sdk";
import type { ChannelTraits, Message } from "../../model/notify/message.ts";
import { type Change, type NoticeRecord, type Send, type TapRecord, testKey } from "../../model/notify/notice.ts";
import { withoutSecrets } from "../../model/notify/redact.ts";
import { channelOf } from "../../model/notify/schedule.ts";
import { shownOf, tapMs } from "../../model/notify/taps.ts";
import { digestWords, type Words, wordsOf } from "../../model/notify/wording.ts";
import { hashOf } from "../access/tokens.ts";
import type { NoticeJob } from "../ports.ts";

/** What a job is made of. */
export interface JobSources {
  readonly notice: (id: string) => NoticeRecord | undefined;
  readonly question: (id: string) => Question | undefined;
  readonly channel: ChannelConfig;
  readonly traits: ChannelTraits;
  readonly address?: unknown;
  /** Whether its reader may answer; absent: yes. */
  readonly mayAnswer?: boolean;
  /** The dashboard's address for people, and the address at which a button's capability is taken. */
  readonly url?: string;
  readonly answerAt?: string;
  readonly at: number;
  readonly wallTime: (time: number) => number;
}

/** The job of a send as it is now, and the send as it is when the job is on its way. */
export function jobOf(
  notice: NoticeRecord,
  send: Send,
  sources: JobSources,
): { readonly job: NoticeJob; readonly send: Send } {
  const { change } = send;
  const question = notice.fact.question === undefined ? undefined : sources.question(notice.fact.question);
  const isOver = notice.state === "over";
  const note = isOver || sources.channel.text !== "full" ? undefined : noteOf(change);
  const words = wordsFor(notice, question, sources, note);
  const buttons =
    isOver || !question || notice.members || sources.mayAnswer === false
      ? []
      : words.options.map((option) => ({ ...option, tap: randomBytes(24).toString("base64url") }));
  const taps: readonly TapRecord[] = buttons.map(({ number, tap }) => ({
    ...{ hash: hashOf(tap), question: question?.id ?? "", option: number, endsAt: sources.at + tapMs },
    shown: question ? hashOf(shownOf(question)) : "",
  }));
  const message: Message = {
    ...{ tag: notice.tag, kind: kindOf(notice), urgency: words.urgency },
    ...{ title: words.title, body: withNote(note, words.body), at: sources.wallTime(notice.at) },
    buttons: buttons.map(({ label, tap }) => ({ label, tap })),
    ...linkOf(notice, sources),
    ...(isOver ? {} : askedOf(notice, question, sources)),
    ...(sources.answerAt === undefined ? {} : { answerAt: sources.answerAt }),
    ...(isOver ? { over: sources.channel.text === "none" ? "it is over" : withoutSecrets(notice.why).text } : {}),
  };
  const job: NoticeJob = {
    ...{
      id: jobId(notice, next(send)),
      channel: channelOf(send.to),
      kind: send.kind,
      does: change?.does ?? "send",
      message,
    },
    ...(send.ref === undefined ? {} : { ref: send.ref }),
    settings: settingsOf(sources.channel),
    ...(sources.address === undefined ? {} : { address: sources.address }),
  };
  // Earlier ones stay known, so that a press of one is answered with the reason why it does nothing.
  return { job, send: { ...next(send), taps: [...(send.taps ?? []), ...taps].slice(-maxTaps) } };
}

const maxTaps = 60;

/** The name of the attempt that is on its way. A send and a change of the same notice never share one. */
export function jobId(
  { id, tag }: Pick<NoticeRecord, "id" | "tag">,
  { to, attempts, change, changes = 0, anew }: Send,
): string {
  const place = createHash("sha256").update(`${tag} ${to}`).digest("hex").slice(0, 12);
  const attempt = anew === undefined ? attempts : `${attempts}-anew${anew}`;
  return `${id}-${place}-${change ? `change${changes}` : attempt}`;
}

function next(send: Send): Send {
  const { nextAt: _nextAt, ...rest } = send;
  if (!send.change) return { ...rest, state: "handed", attempts: send.attempts + 1 };
  const { nextAt: _changeAt, ...change } = send.change;
  const changes = (send.changes ?? 0) + 1;
  return { ...send, changes, change: { ...change, state: "handed", attempts: change.attempts + 1 } };
}

/**
 * The send before a job that never began: that was no attempt. The next job has the same name, so the sender, which takes each
 * name once, would not send it twice even if it had both.
 */
export function notHanded(send: Send): Send {
  const { change, attempts, changes = 1 } = send;
  if (!change) return { ...send, state: "queued", attempts: attempts - 1 };
  return { ...send, changes: changes - 1, change: { ...change, state: "queued", attempts: change.attempts - 1 } };
}

function kindOf({ members, fact }: NoticeRecord): Message["kind"] {
  if (members) return "digest";
  return fact.key === testKey ? "test" : fact.kind;
}

function noteOf(change: Change | undefined): string | undefined {
  return change?.note === undefined
    ? undefined
    : withoutSecrets(change.note.slice(0, 10 * maxNote)).text.slice(0, maxNote);
}

const maxNote = 200;

function withNote(note: string | undefined, body: string): string {
  return [note, body].filter((part) => part !== undefined && part !== "").join("\n");
}

/** What is below a note is cut earlier, so that a button is there only if all is shown. */
function wordsFor(
  notice: NoticeRecord,
  question: Question | undefined,
  { channel: { text }, traits: { limits }, ...sources }: JobSources,
  note = "",
): Words {
  const level = { text, limits: { ...limits, body: limits.body - (note === "" ? 0 : note.length + 1) } };
  if (notice.fact.key === testKey) {
    const { name } = notice.fact.subject;
    return { urgency: "normal", title: `${name} ${notice.fact.words}`, body: "This is a test.", options: [] };
  }
  if (!notice.members) return wordsOf(notice.fact, question, level);
  const facts = notice.members.flatMap((id) => sources.notice(id)?.fact ?? []);
  return digestWords(facts, sources.question, level);
}

function linkOf(notice: NoticeRecord, { url }: JobSources): Pick<Message, "link" | "page"> {
  const page = `#/${pageOf(notice)}`;
  return url === undefined ? { page } : { page, link: `${url.replace(/\/+$/, "")}/${page}` };
}

function pageOf({ fact, members }: NoticeRecord): string {
  const { task, terminal } = fact.subject;
  if (members) return "";
  if (fact.question !== undefined) return `question/${fact.question}`;
  if (task !== undefined) return `task/${task}`;
  return terminal === undefined ? "" : `terminal/${terminal}`;
}

function askedOf(
  { fact, members }: NoticeRecord,
  question: Question | undefined,
  { traits, channel, mayAnswer = true }: JobSources,
): Pick<Message, "asked"> {
  const isWanted = traits.showsQuestions === true && channel.text === "full" && !members;
  if (!isWanted || !question || !mayLeave(question)) return {};
  return { asked: { question, name: fact.subject.shown ?? fact.subject.name, mayAnswer } };
}

/** The question as it is, or not at all: with a part left out, its answer would not fit what was shown. */
function mayLeave({ kind, text, options, doubt = "", proposal = {}, reported = {} }: Question): boolean {
  if (kind === "password" || proposal.diff !== undefined || reported.diff !== undefined) return false;
  const labels = options.flatMap(({ label, description = "" }) => [label, description]);
  const words = [text, doubt, ...labels, ...Object.values(proposal), ...Object.values(reported)].join("\n");
  return words.length <= maxAsked && !withoutSecrets(words).isChanged;
}

// More does not fit into what goes to a browser.
const maxAsked = 4_000;

function settingsOf({ kind: _kind, text: _text, ...settings }: ChannelConfig): NoticeJob["settings"] {
  return settings;
}
