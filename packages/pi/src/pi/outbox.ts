import { randomUUID } from "node:crypto";
import type { CustomMessage, Pi, PiContext } from "./api.ts";

/** How news becomes a message. */
export interface Letter<News> {
  /** The id stands in the details: it tells whether this very message arrived. */
  readonly write: (news: readonly News[], id: string) => CustomMessage<{ readonly id: string }>;
  /** Does it start a turn, or is it only written into the conversation? */
  readonly wakes: (news: readonly News[]) => boolean;
}

/**
 * News for the model. It is kept until pi has shown it to the model: a message that waits in pi's own queue is thrown
 * away when the user presses Escape or pi ends, so nothing is put there. While the agent works, news gathers here; when
 * it rests, all of it goes as one message.
 */
export class Outbox<News> {
  readonly #pi: Pi;
  readonly #ctx: PiContext;
  readonly #letter: Letter<News>;
  readonly #onChange: () => void;
  #waiting: readonly News[];
  #sent: { readonly id: string; readonly news: readonly News[] } | undefined;
  #aborted = false;

  constructor(pi: Pi, ctx: PiContext, letter: Letter<News>, waiting: readonly News[], onChange: () => void) {
    this.#pi = pi;
    this.#ctx = ctx;
    this.#letter = letter;
    this.#waiting = waiting;
    this.#onChange = onChange;
  }

  /** What the model has not seen. */
  get pending(): readonly News[] {
    return [...(this.#sent?.news ?? []), ...this.#waiting];
  }

  put(news: readonly News[]): void {
    this.#waiting = [...this.#waiting, ...news];
    this.deliver();
  }

  /** Sends what waits, if the agent rests. */
  deliver(): void {
    if (this.#sent || this.#waiting.length === 0 || !this.#ctx.isIdle()) return;
    if (this.#letter.wakes(this.#waiting)) this.#send();
    else this.#leave();
  }

  #send(): void {
    const id = randomUUID();
    this.#sent = { id, news: this.#waiting };
    this.#waiting = [];
    const message = this.#letter.write(this.#sent.news, id);
    this.#pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
  }

  /** pi shows a message to the model: is it ours? */
  arrived(message: object): void {
    const { details } = message as { details?: { id?: unknown } };
    if (this.#sent === undefined || details?.id !== this.#sent.id) return;
    this.#sent = undefined;
    this.#onChange();
  }

  ended(messages: readonly object[]): void {
    this.#aborted = messages.some((message) => (message as { stopReason?: unknown }).stopReason === "aborted");
  }

  /** The agent rests. A message that did not arrive was lost on its way, and goes again. */
  settled(): void {
    if (this.#sent) this.#waiting = [...this.#sent.news, ...this.#waiting];
    this.#sent = undefined;
    const aborted = this.#aborted;
    this.#aborted = false;
    if (aborted) this.#leave();
    else this.deliver();
  }

  // Escape means "stop": the news is written into the conversation, and the next turn is the user's.
  #leave(): void {
    if (this.#waiting.length === 0) return;
    const message = this.#letter.write(this.#waiting, randomUUID());
    this.#waiting = [];
    this.#pi.sendMessage(message, { triggerTurn: false });
    this.#onChange();
  }
}
