import type { Output } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { giveKeptAnswers } from "../api/kept-answers.ts";
import { keepQuestion } from "../api/kept-questions.ts";
import { tapAnswer } from "../api/tap.ts";

declare const self: ServiceWorkerGlobalScope;

/** What a push carries; made by the daemon, and encrypted for this browser alone. */
export interface PushedNotice {
  /** The same for the notice's whole life: the next one with it takes its place. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly urgent: boolean;
  readonly buttons: readonly { readonly label: string; readonly tap: string }[];
  /** Where in the dashboard, such as `#/question/q17`. */
  readonly page: string;
  readonly question?: string;
  /** The question itself, where it was short enough. */
  readonly asked?: Pick<Output<"question">, "question" | "name"> & { readonly mayAnswer: boolean };
  /** How it ended: nothing is to be done any more. */
  readonly over?: string;
}

interface NoticeData {
  readonly page: string;
  readonly taps: readonly string[];
}

/** Shows a push. Browsers that promised their user to show every push revoke the subscription otherwise. */
export async function showPushed(notice: PushedNotice): Promise<void> {
  const { over } = notice;
  if (over !== undefined) return inTurn(() => showOver(notice, over));
  await inTurn(() => show(notice));
  // The page of the question opens with this at once, also on a slow line, and while a passkey locks it.
  const { asked, question } = notice;
  if (asked) {
    const { mayAnswer, ...seen } = asked;
    await keepQuestion({ ...seen, turns: [], last_event: 0, scope: mayAnswer ? "approve" : "read" });
  }
  if (question !== undefined) await fetchAhead(question);
}

let last: Promise<unknown> = Promise.resolve();

/** One after the other: Chromium may forget a notice that is just being shown when what is shown is listed. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const done = last.then(act, act);
  last = done;
  return done;
}

async function show({ tag, title, body, urgent, buttons, page }: PushedNotice): Promise<void> {
  // Repeated after an unknown outcome, or with more known: it is the same news, and does not sound twice.
  const isNews = (await self.registration.getNotifications({ tag })).length === 0;
  const { maxActions = 2 } = Notification as { readonly maxActions?: number };
  await notify(title, {
    ...{ body, tag, requireInteraction: urgent, ...(isNews ? { renotify: true } : { silent: true }) },
    data: { page, taps: buttons.map(({ tap }) => tap) } satisfies NoticeData,
    actions: buttons.slice(0, maxActions).map(({ label }, at) => ({ action: String(at), title: label })),
  });
}

// More than fits into a push, such as the last words before it.
async function fetchAhead(question: string): Promise<void> {
  try {
    await keepQuestion(await client.question({ id: question }, { signal: AbortSignal.timeout(aheadMs) }));
  } catch {
    // The page asks again.
  }
}

const aheadMs = 20_000;

/** It was answered elsewhere: a quiet word takes its place, where a browser would otherwise show one of its own. */
async function showOver({ tag, title, page }: PushedNotice, over: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window" });
  if (pages.some(({ visibilityState }) => visibilityState === "visible")) {
    for (const shown of await self.registration.getNotifications({ tag })) shown.close();
    return;
  }
  await notify(title, { body: over, tag, silent: true, data: { page, taps: [] } satisfies NoticeData });
}

/** A tap on the notice opens its page; one on a button gives that answer, and no other. */
export async function clicked(notification: Notification, action: string): Promise<void> {
  notification.close();
  const { page, taps = [] } = notification.data as Partial<NoticeData> & Pick<NoticeData, "page">;
  const tap = action === "" ? undefined : taps[Number(action)];
  if (tap === undefined) return openPage(page);
  const { words, isAnswered, mayPressAgain } = await tapAnswer(tap);
  if (isAnswered) return;
  const { actions = [] } = notification as { readonly actions?: ShownOptions["actions"] };
  await inTurn(async () => {
    await isGone(notification.tag);
    await notify(notification.title, {
      ...{
        body: `Not answered: ${words.replace(/^Not answered: /, "")}`,
        tag: notification.tag,
        requireInteraction: true,
        renotify: true,
      },
      data: { page, taps: mayPressAgain ? taps : [] } satisfies NoticeData,
      actions: mayPressAgain ? actions : [],
    });
  });
}

/** What is shown under a tag while the browser still takes away the one before would go with it: Chromium loses 1 of 60. */
async function isGone(tag: string): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks++) {
    if ((await self.registration.getNotifications({ tag })).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

const maxLooks = 50;
const lookEveryMs = 20;

/** Gives the answers that wait for a connection, also when no page is open. */
export async function giveWaiting(): Promise<void> {
  const { refused, waits } = await giveKeptAnswers();
  for (const { asked, refused: why = "", input } of refused) {
    const options = {
      ...{ body: `${asked}: ${why}`, tag: input.idempotency_key },
      data: { page: `#/question/${encodeURIComponent(input.question)}`, taps: [] } satisfies NoticeData,
    };
    await inTurn(() => notify("Not answered", options));
  }
  // The browser tries again later if this fails.
  if (waits) throw new Error("there is no connection yet");
}

interface ShownOptions extends NotificationOptions {
  readonly renotify?: boolean;
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
}

function notify(title: string, options: ShownOptions): Promise<void> {
  return self.registration.showNotification(title, { icon: "/icon-192.png", badge: "/badge-96.png", ...options });
}

async function openPage(page: string): Promise<void> {
  const address = `/${page}`;
  const [open] = await self.clients.matchAll({ type: "window" });
  if (!open) return void (await self.clients.openWindow(address));
  open.postMessage({ type: "show", address });
  await open.focus();
}
