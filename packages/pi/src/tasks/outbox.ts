import { randomUUID } from "node:crypto";
import type { Pi, PiContext } from "../pi/api.ts";
import { taskMessage, taskMessageType } from "./delivery.ts";
import type { TaskEvent } from "./events.ts";

/**
 * News for the model. It is kept until pi has shown it to the model: a message that waits in pi's own queue is thrown
 * away when the user presses Escape, so nothing is put there. While the agent works, news gathers here; when it rests,
 * all of it goes as one message.
 */
export class Outbox {
  readonly #pi: Pi;
  readonly #ctx: PiContext;
  readonly #about: { readonly sessionId: string; readonly sessionName: string };
  readonly #onChange: () => void;
  #waiting: readonly TaskEvent[];
  #sent: { readonly id: string; readonly events: readonly TaskEvent[] } | undefined;
  #aborted = false;

  constructor(
    pi: Pi,
    ctx: PiContext,
    about: { readonly sessionId: string; readonly sessionName: string },
    waiting: readonly TaskEvent[],
    onChange: () => void,
  ) {
    this.#pi = pi;
    this.#ctx = ctx;
    this.#about = about;
    this.#waiting = waiting;
    this.#onChange = onChange;
  }

  /** What the model has not seen. */
  get pending(): readonly TaskEvent[] {
    return [...(this.#sent?.events ?? []), ...this.#waiting];
  }

  put(events: readonly TaskEvent[]): void {
    this.#waiting = [...this.#waiting, ...events];
    this.deliver();
  }

  /** Sends what waits, if the agent rests. */
  deliver(): void {
    if (this.#sent || this.#waiting.length === 0 || !this.#ctx.isIdle()) return;
    const id = randomUUID();
    this.#sent = { id, events: this.#waiting };
    this.#waiting = [];
    this.#pi.sendMessage(taskMessage(this.#sent.events, { id, ...this.#about }), {
      triggerTurn: true,
      deliverAs: "followUp",
    });
  }

  /** pi shows a message to the model: is it ours? */
  arrived(message: object): void {
    const { customType, details } = message as { customType?: unknown; details?: { id?: unknown } };
    if (customType !== taskMessageType || this.#sent === undefined || details?.id !== this.#sent.id) return;
    this.#sent = undefined;
    this.#onChange();
  }

  ended(messages: readonly object[]): void {
    this.#aborted = messages.some((message) => (message as { stopReason?: unknown }).stopReason === "aborted");
  }

  /** The agent rests. A message that did not arrive was lost on its way, and goes again. */
  settled(): void {
    if (this.#sent) this.#waiting = [...this.#sent.events, ...this.#waiting];
    this.#sent = undefined;
    const aborted = this.#aborted;
    this.#aborted = false;
    if (aborted) this.#leave();
    else this.deliver();
  }

  // Escape means "stop": the news is written into the conversation, and the next turn is the user's.
  #leave(): void {
    if (this.#waiting.length === 0) return;
    const message = taskMessage(this.#waiting, { id: randomUUID(), ...this.#about });
    this.#waiting = [];
    this.#pi.sendMessage(message, { triggerTurn: false });
    this.#onChange();
  }
}
