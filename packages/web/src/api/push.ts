import { PanewardError } from "@paneward/sdk";
import { client } from "./client.ts";

/** Whether this browser can get notices while no page is open. */
export function canBePushed(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** Lets the daemon reach this browser through the browser's own push service. The user has allowed notifications before. */
export async function subscribe(registration: ServiceWorkerRegistration): Promise<void> {
  const { key } = await client.push_look({});
  const known = await registration.pushManager.getSubscription();
  if (known && !isFor(known, key)) await known.unsubscribe();
  const subscription = await within(
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
  );
  await report(subscription);
}

/** The browser has made itself a new address. */
export async function subscribeAgain(registration: ServiceWorkerRegistration): Promise<void> {
  if (Notification.permission === "granted") await subscribe(registration);
}

export async function unsubscribe(registration: ServiceWorkerRegistration): Promise<void> {
  const known = await registration.pushManager.getSubscription();
  await client.push_unsubscribe({});
  await known?.unsubscribe();
}

/** The daemon may have lost it, or the browser may have a new one. Returns whether there is one. */
export async function renew(registration: ServiceWorkerRegistration): Promise<boolean> {
  const known = await registration.pushManager.getSubscription();
  if (!known) return false;
  const { key, subscribed } = await client.push_look({});
  if (!isFor(known, key)) await subscribe(registration);
  else if (!subscribed) await report(known);
  return true;
}

async function report(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await client.push_subscribe({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...own));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}

// Without a way to its push service, a browser never answers.
async function within<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => reject(unreachable()), maxMs);
  try {
    return await Promise.race([asked, promise]);
  } catch (cause) {
    throw cause instanceof PanewardError ? cause : unreachable(cause);
  } finally {
    clearTimeout(timer);
  }
}

function unreachable(cause?: unknown): PanewardError {
  return new PanewardError("unavailable", "this browser gets no address from its push service", {
    hint: "notifications still come while a page of the dashboard is open; try again later",
    ...(cause === undefined ? {} : { cause }),
  });
}

const maxMs = 20_000;
