import type { OperationName } from "@paneward/sdk";
import type { Handlers } from "../calls.ts";
import type { Store } from "../ports.ts";

/**
 * What these acknowledge must survive a power cut: receipts, answers, tokens, trust, revocations, and that a program is not to
 * come back after it.
 */
export const lastingOperations = [
  "send",
  "respond",
  "interrupt",
  "stop",
  "complete",
  "rm",
  "keep_running",
  "token_create",
  "token_revoke",
  "login_revoke",
  "push_subscribe",
  "push_unsubscribe",
  "login_rename",
  "pair_confirm",
  "trust",
  "trust_revoke",
] as const satisfies readonly OperationName[];

/** A program can be ended also on a full disk; then that waits in memory like any other end. */
const endings: readonly OperationName[] = ["stop", "complete", "rm"];

/** The same handlers; those of lasting operations return when what they wrote is on the disk. */
export function lasting<Some extends Partial<Handlers>>(store: Pick<Store, "settled">, handlers: Some): Some {
  const wrapped = lastingOperations.flatMap((name) => {
    // TypeScript cannot connect a name with the types of its handler.
    const handler = handlers[name] as ((...args: readonly unknown[]) => Promise<unknown>) | undefined;
    if (!handler) return [];
    const lasts = async (...args: readonly unknown[]) => {
      const output = await handler(...args);
      await store.settled().catch((error: unknown) => {
        if (!endings.includes(name)) throw error;
      });
      return output;
    };
    return [[name, lasts]];
  });
  return { ...handlers, ...Object.fromEntries(wrapped) };
}
