import type { NoticeKind, Question, TextLevel } from "@paneward/sdk";
import { visible } from "@paneward/sdk";
import { askedWords, doubtWords, needsReading } from "@paneward/sdk/view";
import type { ChannelTraits, Urgency } from "./message.ts";
import type { Fact } from "./notice.ts";
import { withoutSecrets } from "./redact.ts";
import { standingKinds } from "./schedule.ts";

export interface Words {
  readonly urgency: Urgency;
  readonly title: string;
  readonly body: string;
  /** The options that a button may choose: only of what the words show whole. */
  readonly options: readonly { readonly number: number; readonly label: string }[];
}

/** What a channel gets to read of a fact, within the level of text that it may have and within its limits. */
export function wordsOf(
  fact: Fact,
  question: Question | undefined,
  { text, limits }: { readonly text: TextLevel; readonly limits: ChannelTraits["limits"] },
): Words {
  const urgency = urgencyOf[fact.kind];
  if (text === "none") {
    const title = standingKinds.has(fact.kind) ? "Something needs you" : "Something has ended";
    return { urgency, title, body: "", options: [] };
  }
  const title = cut(titleOf(fact, question), limits.title).text;
  if (text === "title" || !question || question.kind === "password") return { urgency, title, body: "", options: [] };
  const content = contentOf(question);
  const body = cut(content.text, limits.body);
  const isShownWhole = content.isWhole && !body.isCut;
  return { urgency, title, body: body.text, options: optionsOf(question, isShownWhole, limits) };
}

/** Several facts at once. */
export function digestWords(
  facts: readonly Fact[],
  questions: (id: string) => Question | undefined,
  { text, limits }: { readonly text: TextLevel; readonly limits: ChannelTraits["limits"] },
): Words {
  const urgency = facts.some(({ kind }) => urgencyOf[kind] === "high") ? "high" : "normal";
  const standing = facts.filter(({ kind }) => standingKinds.has(kind)).length;
  const happened = facts.length - standing;
  const title = [
    ...(standing > 0 ? [`${standing} need you`] : []),
    ...(happened > 0 ? [`${happened} have ended`] : []),
  ].join(", ");
  if (text === "none") return { urgency, title, body: "", options: [] };
  const named = facts
    .slice(0, maxNamed)
    .map((fact) => titleOf(fact, fact.question === undefined ? undefined : questions(fact.question)));
  const rest = facts.length - named.length;
  const body = [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  return { urgency, title: cut(title, limits.title).text, body: cut(body, limits.body).text, options: [] };
}

const maxNamed = 8;

const urgencyOf: Readonly<Record<NoticeKind, Urgency>> = {
  ...{ question: "high", quota: "high", login: "high", stuck: "normal", away: "normal" },
  ...{ failed: "normal", finished: "low", team: "low", idle: "low", ended: "low" },
};

/** Who and what, in one line; nothing of what is asked or would be done. */
export function titleOf({ subject, words }: Fact, question: Question | undefined): string {
  const title = `${subject.shown ?? subject.name} ${question ? asks[question.kind] : words}`;
  return plain(withoutSecrets(title).text).replace(/\s+/g, " ");
}

const asks = {
  permission: "asks for permission",
  choice: "asks you to choose",
  multi_choice: "asks you to choose",
  plan: "has a plan",
  text: "asks a question",
  confirm: "asks yes or no",
  password: "asks for a password",
  press_key: "waits for a key",
} as const;

interface Content {
  readonly text: string;
  /** Nothing of the question was left out. */
  readonly isWhole: boolean;
}

function contentOf(question: Question): Content {
  const { proposal, whole, options } = question;
  const isProved = whole !== false;
  const what = isProved ? [proposal?.tool, proposal?.command, proposal?.path, proposal?.more] : [];
  const doubt = doubtWords(question);
  const parts = [
    askedWords(question),
    ...what,
    ...(isProved && proposal?.diff !== undefined ? [linesOf(proposal.diff)] : []),
    ...(doubt === undefined ? [] : [doubt]),
    ...options.map(({ number, label }) => `${number} ${label}`),
  ];
  const joined = parts.filter((part) => part !== undefined && part.trim() !== "").join("\n");
  const { text, isChanged } = withoutSecrets(joined.slice(0, maxContent));
  const isAll = joined.length <= maxContent && !isChanged && proposal?.diff === undefined;
  return { text: plain(text), isWhole: isAll && question.reported === undefined };
}

// More than any channel shows, by far: what is left out of it as secrets does not bring more into view.
const maxContent = 20_000;
// A label is looked through for secrets, and an agent may report a long one.
const maxLabel = 1_000;

// A diff of a new file is the whole file: it stays here.
function linesOf(diff: string): string {
  const lines = diff.split("\n");
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
  return `(+${count("+")} -${count("-")} lines, not shown here)`;
}

function optionsOf(question: Question, isShownWhole: boolean, limits: ChannelTraits["limits"]): Words["options"] {
  const { kind, options } = question;
  if (kind === "multi_choice" || kind === "password") return [];
  const offered = options.filter(
    (option) =>
      (isShownWhole || (kind === "permission" && option.does === "deny")) &&
      option.label.length <= maxLabel &&
      !withoutSecrets(option.label).isChanged &&
      !needsReading(question, { options: [option.number] }),
  );
  // Where there is room for few, what approves and what denies comes first.
  const first = offered.filter(({ does }) => does !== undefined);
  const chosen = [...first, ...offered.filter(({ does }) => does === undefined)].slice(0, limits.buttons);
  return offered
    .filter((option) => chosen.includes(option))
    .map(({ number, label }) => ({ number, label: cut(plain(label).replace(/\s+/g, " "), limits.label).text }));
}

// What would reorder or hide a part of a line is shown instead.
function plain(text: string): string {
  return visible(text.replace(/\r\n?/g, "\n"));
}

function cut(text: string, limit: number): { readonly text: string; readonly isCut: boolean } {
  const letters = [...text];
  if (letters.length <= limit) return { text, isCut: false };
  return { text: `${letters.slice(0, Math.max(0, limit - 1)).join("")}…`, isCut: true };
}
