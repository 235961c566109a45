import type { DeliveryContent, DeliveryRecord } from "../../model/records.ts";
import type { Store } from "../ports.ts";
import type { Receipts } from "./receipts.ts";

type Deliveries = Pick<Store, "unfinishedDeliveries">;

/** Whether a delivery to this terminal is held: keys may remove what holds it. */
export function hasHeld(store: Deliveries, terminal: string): boolean {
  return unfinished(store, terminal).some(isHeld);
}

/** Whether it consists of keys, and of no text. */
export function isKeysOnly(wish: DeliveryContent | undefined): boolean {
  return wish?.text === "" && wish.keys.length > 0;
}

/** Gives the texts behind a held delivery their reason, so that their callers get a receipt at once. Keys do not wait for it. */
export function explainWaiting(
  store: Deliveries,
  receipts: Pick<Receipts, "moved" | "wishOf">,
  terminal: string,
): void {
  const line = unfinished(store, terminal).filter(({ question }) => question === undefined);
  const { number = Number.POSITIVE_INFINITY, reason, release } = line.find(isHeld) ?? {};
  const waiting = line.filter((one) => one.state === "queued" && one.number > number);
  for (const { id } of waiting.filter((one) => !isKeysOnly(receipts.wishOf(one)))) {
    receipts.moved(id, "queued", `an earlier delivery comes first, and that is held: ${reason}`, release);
  }
}

function unfinished(store: Deliveries, terminal: string): readonly DeliveryRecord[] {
  return store.unfinishedDeliveries().filter((one) => one.terminal === terminal);
}

function isHeld({ state, reason }: DeliveryRecord): boolean {
  return state === "held" || (state === "typed" && reason !== undefined);
}
