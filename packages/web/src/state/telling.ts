import { PanewardError } from "@paneward/sdk";
import { canBePushed, renew, subscribe, unsubscribe } from "../api/push.ts";
import { preferences } from "./preferences.ts";
import { createValue } from "./value.ts";

/** Whether this browser gets notices while no page is open. */
export const isPushed = createValue(false);

/** Asks the user, and the browser's push service. Without the latter, notifications come while a page is open. */
export async function tellMe(isWanted: boolean): Promise<void> {
  if (!isWanted) return tellNoLonger();
  const isAllowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
  preferences.set({ ...preferences.get(), notify: isAllowed, asked: true });
  if (!isAllowed) {
    throw new PanewardError("not_allowed", "The browser does not allow notifications from this page", {
      hint: "allow notifications in the browser's settings of this page",
    });
  }
  const registration = await registered();
  if (!registration) return;
  await subscribe(registration);
  isPushed.set(true);
}

async function tellNoLonger(): Promise<void> {
  preferences.set({ ...preferences.get(), notify: false, asked: true });
  const registration = await registered();
  if (registration && isPushed.get()) await unsubscribe(registration);
  isPushed.set(false);
}

/** Looks whether this browser has an address, and whether the daemon still knows it. */
export async function renewAddress(): Promise<void> {
  if (!preferences.get().notify || !canBePushed() || Notification.permission !== "granted") return;
  const registration = await registered();
  if (registration) isPushed.set(await renew(registration));
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return canBePushed() ? await navigator.serviceWorker.getRegistration() : undefined;
}

/** Whether asking makes sense: nobody was asked yet, and the browser can. */
export function mayAsk(): boolean {
  return !preferences.get().asked && canBePushed() && Notification.permission === "default";
}

/** On an iPhone, only apps on the home screen get notifications. */
export function mustBeInstalled(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent) && !matchMedia("(display-mode: standalone)").matches;
}
