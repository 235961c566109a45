import type { Question } from "@paneward/sdk";
import type { NoticeRecord, Send, TapRecord } from "./notice.ts";

/** All that a person was shown of a question, for comparing; where it is drawn does not matter. */
export function shownOf({ kind, text, options, proposal, reported, whole, terminal }: Question): string {
  const shown = options.map(({ number, label, key, does }) => [number, label, key, does]);
  return JSON.stringify([terminal, kind, text, shown, proposal, reported, whole]);
}

/** What a pressed button means, or why it means nothing any more. */
export type TapVerdict =
  | { readonly kind: "answers"; readonly notice: NoticeRecord; readonly send: Send; readonly tap: TapRecord }
  | {
      readonly kind: "refused";
      readonly words: string;
      readonly of?: { readonly notice: NoticeRecord; readonly send: Send; readonly tap: TapRecord };
      /** The question still waits, and who pressed the button may think that it was answered. */
      readonly waits?: true;
    };

export function judgeTap(
  {
    notices,
    questions,
    hashShown,
    at,
  }: {
    readonly notices: readonly NoticeRecord[];
    readonly questions: (id: string) => Question | undefined;
    readonly hashShown: (shown: string) => string;
    readonly at: number;
  },
  hash: string,
): TapVerdict {
  const found = notices.flatMap((notice) =>
    notice.sends.flatMap((send) =>
      (send.taps ?? []).filter((tap) => tap.hash === hash).map((tap) => ({ notice, send, tap })),
    ),
  )[0];
  if (!found) return refused("this button is not known any more");
  const why = refusal(found.tap, questions(found.tap.question), at, hashShown);
  return why === undefined ? { kind: "answers", ...found } : { ...why, of: found };
}

function refusal(
  tap: TapRecord,
  question: Question | undefined,
  at: number,
  hashShown: (shown: string) => string,
): Extract<TapVerdict, { readonly kind: "refused" }> | undefined {
  if (question?.state === "closed") return refused(`this question is closed: ${question.closedBy ?? "it is gone"}`);
  if (tap.used) return refused("a button of this notice was pressed already; each works once");
  if (!question) return refused("this question is gone");
  if (question.state === "answering") return refused(`it is being answered by ${question.closedBy ?? "somebody else"}`);
  if (tap.endsAt <= at) return { ...refused("this button has expired; look at the question itself"), waits: true };
  if (hashShown(shownOf(question)) === tap.shown) return undefined;
  return { ...refused("the question has changed since this was shown; nothing was answered"), waits: true };
}

function refused(words: string): { readonly kind: "refused"; readonly words: string } {
  return { kind: "refused", words };
}

/** How long a button answers. */
export const tapMs = 4 * 3_600_000;
