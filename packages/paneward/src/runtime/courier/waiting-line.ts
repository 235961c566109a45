import type { DeliveryRecord } from "../../model/records.ts";
import type { Store } from "../ports.ts";
import type { Receipts } from "./receipts.ts";

type Deliveries = Pick<Store, "unfinishedDeliveries">;

/** Whether a delivery to this terminal is held: keys may remove what holds it. */
export function hasHeld(store: Deliveries, terminal: string): boolean {
  return unfinished(store, terminal).some(isHeld);
}

/** Gives the deliveries behind a held one their reason, so that their callers get a receipt at once. */
export function explainWaiting(store: Deliveries, receipts: Pick<Receipts, "moved">, terminal: string): void {
  const line = unfinished(store, terminal).filter(({ question }) => question === undefined);
  const { number = Number.POSITIVE_INFINITY, reason, release } = line.find(isHeld) ?? {};
  for (const { id } of line.filter((one) => one.state === "queued" && one.number > number)) {
    receipts.moved(id, "queued", `an earlier delivery comes first, and that is held: ${reason}`, release);
  }
}

function unfinished(store: Deliveries, terminal: string): readonly DeliveryRecord[] {
  return store.unfinishedDeliveries().filter((one) => one.terminal === terminal);
}

function isHeld({ state, reason }: DeliveryRecord): boolean {
  return state === "held" || (state === "typed" && reason !== undefined);
}
