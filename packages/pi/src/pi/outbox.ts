import { randomUUID } from "node:crypto";
import type { CustomMessage, Pi, PiContext } from "./api.ts";

/** How news is turned into a message. */
export interface MessageFormat<News> {
  /** The id is part of the details and identifies the message when it arrives. */
  readonly write: (news: readonly News[], id: string) => CustomMessage<{ readonly id: string }>;
  /** Whether it starts a turn or is only written into the conversation. */
  readonly wakes: (news: readonly News[]) => boolean;
}

/**
 * News for the model, kept until pi has shown it to the model. pi drops its own message queue when the user presses
 * Escape or pi exits, so nothing is queued there. While the agent works, news is collected here; when it is idle,
 * everything is sent as one message.
 */
export class Outbox<News> {
  readonly #pi: Pi;
  readonly #ctx: PiContext;
  readonly #format: MessageFormat<News>;
  readonly #onChange: () => void;
  #waiting: readonly News[];
  #sent: { readonly id: string; readonly news: readonly News[] } | undefined;
  #aborted = false;

  constructor(pi: Pi, ctx: PiContext, format: MessageFormat<News>, waiting: readonly News[], onChange: () => void) {
    this.#pi = pi;
    this.#ctx = ctx;
    this.#format = format;
    this.#waiting = waiting;
    this.#onChange = onChange;
  }

  /** News the model has not seen. */
  get pending(): readonly News[] {
    return [...(this.#sent?.news ?? []), ...this.#waiting];
  }

  put(news: readonly News[]): void {
    this.#waiting = [...this.#waiting, ...news];
    this.deliver();
  }

  /** Sends pending news if the agent is idle. */
  deliver(): void {
    if (this.#sent || this.#waiting.length === 0 || !this.#ctx.isIdle()) return;
    if (this.#format.wakes(this.#waiting)) this.#send();
    else this.#writeSilently();
  }

  #send(): void {
    const id = randomUUID();
    this.#sent = { id, news: this.#waiting };
    this.#waiting = [];
    const message = this.#format.write(this.#sent.news, id);
    this.#pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
  }

  /** Called when pi shows a message to the model; it may be ours. */
  arrived(message: object): void {
    const { details } = message as { details?: { id?: unknown } };
    if (this.#sent === undefined || details?.id !== this.#sent.id) return;
    this.#sent = undefined;
    this.#onChange();
  }

  ended(messages: readonly object[]): void {
    this.#aborted = messages.some((message) => (message as { stopReason?: unknown }).stopReason === "aborted");
  }

  /** The agent is idle. A message that did not arrive was lost, and is sent again. */
  settled(): void {
    if (this.#sent) this.#waiting = [...this.#sent.news, ...this.#waiting];
    this.#sent = undefined;
    const aborted = this.#aborted;
    this.#aborted = false;
    if (aborted) this.#writeSilently();
    else this.deliver();
  }

  // Escape means "stop": write the news into the conversation without starting a turn.
  #writeSilently(): void {
    if (this.#waiting.length === 0) return;
    const message = this.#format.write(this.#waiting, randomUUID());
    this.#waiting = [];
    this.#pi.sendMessage(message, { triggerTurn: false });
    this.#onChange();
  }
}
