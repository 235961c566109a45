/**
 * How an agent's input line treats a text: data of each agent. A text arrives as it is, arrives changed in a way that the
 * receipt names, or is refused.
 */
export interface DeliveryRules {
  /** Commands and drafts that the agent runs in a shell: they need the scope approve. */
  readonly shell?: RegExp;
  /** Texts that the agent would obey, attach files to, or lose a part of, with what it does. */
  readonly refuse?: readonly Refusal[];
  /** Characters in front of a text and keys behind it, with which the agent takes it for a text. They leave no trace. */
  readonly guards?: readonly Guard[];
  /** A key behind a text whose end would take Enter: a completion, or a backslash that continues the line. */
  readonly ending?: { readonly when: RegExp; readonly key: string };
  /** What its input line makes of a text, without a way around it. */
  readonly changes?: readonly Change[];
  /** Prompts that it would not take for a prompt when it is started with them. */
  readonly notAtLaunch?: readonly RegExp[];
  /** Commands that must be typed: pasted, they are text. */
  readonly typedCommands?: RegExp;
  /** Texts that it neither takes nor queues while it works: they are typed when it rests. */
  readonly lostAtWork?: RegExp;
}

export interface Refusal {
  readonly when: RegExp;
  readonly would: string;
  /** What to do instead, where there is more than the usual. */
  readonly hint?: string;
}

export interface Guard {
  readonly when: RegExp;
  /** What it makes unnecessary. */
  readonly against: Refusal;
  /** Typed in front of the text, in the same act. */
  readonly before: string;
  /** So long before the text, where both must not arrive together. */
  readonly aheadMs?: number;
  /** Pressed behind it, in the same act. They leave the end of the line: the key of `ending` is not needed then. */
  readonly keys?: readonly string[];
}

export interface Change {
  readonly what: string;
  readonly of: (text: string) => string;
}

export const endsDropped = "blanks and empty lines at its ends are dropped";
export const endsAdded = "blanks at its ends are added";

/** A text as an agent gets it. */
export interface Arrival {
  readonly text: string;
  /** How that differs from what was sent; absent when it does not. */
  readonly changed?: string;
}

export interface DeliverySteps {
  readonly kind: "deliver";
  readonly before: string;
  readonly aheadMs: number;
  readonly text: string;
  readonly keys: readonly string[];
  /** As the agent is known to get it. */
  readonly arrives: Arrival;
  /** As another version may get it: unchanged, or with some of the changes only. */
  readonly orElse: readonly Arrival[];
}

export type DeliveryPlan = DeliverySteps | { readonly kind: "refused"; readonly reason: string; readonly hint: string };

/** How a text is brought into an agent's input line so that it arrives as a text, or why that is refused. */
export function planDelivery(
  agent: { readonly name: string; readonly deliver?: DeliveryRules },
  { text, enter }: { readonly text: string; readonly enter: boolean },
): DeliveryPlan {
  const rules = agent.deliver ?? {};
  const control = codeIn(controls, text);
  if (control !== undefined)
    return refused(agent.name, `would take the control character ${control} in it for a key`, "leave it out");
  const unknown = codeIn(undrawn, text);
  if (unknown !== undefined) {
    return refused(agent.name, `would lose or change ${unknown} in it, which terminals do not draw`, "leave it out");
  }
  if (text.trim() === "") return refused(agent.name, "would find nothing but blanks in it", enterAlone);
  if (drawsNothing.test(text)) return refused(agent.name, "would draw nothing of it", "add a letter to it");
  const guard = rules.guards?.find(({ when }) => when.test(text));
  const refusal = rules.refuse?.find((one) => one !== guard?.against && one.when.test(text));
  if (refusal) return refused(agent.name, refusal.would, refusal.hint ?? onPurpose);
  const changes = (rules.changes ?? []).filter(({ of }) => of(text) !== text);
  return {
    kind: "deliver",
    before: guard?.before ?? "",
    aheadMs: guard?.aheadMs ?? 0,
    text,
    keys: guard?.keys ?? endingKeys(rules, text, enter),
    arrives: changedBy(changes, text),
    orElse: someOf(changes).map((some) => changedBy(some, text)),
  };
}

function changedBy(changes: readonly Change[], text: string): Arrival {
  const changed = changes.map(({ what }) => what).join("; ");
  return { text: changes.reduce((before, { of }) => of(before), text), ...(changed !== "" && { changed }) };
}

/** None of them, and each choice of fewer than all. */
function someOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const choices = Array.from({ length: 2 ** changes.length }, (_, bits) =>
    changes.filter((_one, at) => bits & (1 << at)),
  );
  return choices.slice(0, -1);
}

// Not beside a guard's keys: they leave the end, where nothing is completed then. Behind a Space, Claude Code lost C-a and
// Delete while it looked for completions for the first time (docs/agents-lab.md).
function endingKeys({ ending }: DeliveryRules, text: string, enter: boolean): readonly string[] {
  return enter && ending?.when.test(text) ? [ending.key] : [];
}

/** A command goes in as it is: the agent is meant to take it for one. */
export function planCommand(text: string): DeliverySteps {
  return { kind: "deliver", before: "", aheadMs: 0, text, keys: [], arrives: { text }, orElse: [] };
}

/** A terminal has one kind of line end, and sends it as Return: CRLF would arrive as two. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function refused(name: string, would: string, hint: string): DeliveryPlan {
  return { kind: "refused", reason: `${name} ${would}; nothing was typed`, hint };
}

const onPurpose = "say it in other words, or send it on purpose: `paneward send ID --command TEXT`";

// An input line of blanks looks empty: the next text would be typed behind them.
const enterAlone = "add a letter to it; Enter alone is `paneward send ID --key Enter`";

/** Marks that combine, without a character to combine with. */
const drawsNothing = /^(?=[\s\S]*\S)[\s\p{M}\p{Cf}]+$/u;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;

/**
 * Separators of lines and paragraphs, halves of pairs, Hangul fillers, what no Unicode that is known here has, and pictures of
 * Unicode 16 and 17, which C libraries learn years later: tmux leaves it out, so that the input line shows other text from there
 * on, and some agents replace it.
 */
const undrawn =
  /[\p{Zl}\p{Zp}\p{Cs}\p{Cn}\u115f\u1160\u3164\uffa0\u{1f6d8}\u{1fa89}\u{1fa8a}\u{1fa8e}\u{1fa8f}\u{1fabe}\u{1fac6}\u{1fac8}\u{1facd}\u{1fadc}\u{1fadf}\u{1fae9}\u{1faea}\u{1faef}]/u;

function codeIn(which: RegExp, text: string): string | undefined {
  const code = text.match(which)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
