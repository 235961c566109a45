import type { Outcome } from "../model/notify/message.ts";
import type { Absence, ListeningChannel, NoticeJob } from "../runtime/ports.ts";

/** What the daemon writes to its sender, one JSON object in a line. */
export type ToSender =
  | { readonly kind: "hand"; readonly job: NoticeJob }
  | { readonly kind: "forget"; readonly job: string }
  | { readonly kind: "listen"; readonly channels: readonly ListeningChannel[] }
  /** What to tell if the daemon is gone; without it, nothing. */
  | { readonly kind: "expect"; readonly absence?: Absence }
  | { readonly kind: "reply"; readonly tap: number; readonly words: string };

/** What the sender writes back. */
export type FromSender =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly job: string; readonly outcome: Outcome }
  | { readonly kind: "heard"; readonly channel: string; readonly trouble?: string }
  | { readonly kind: "tapped"; readonly tap: number; readonly channel: string; readonly capability: string };
