import { subscribeAgain } from "../api/push.ts";
import { clicked, giveWaiting, type PushedNotice, showPushed } from "./notices.ts";
import { answerFromCache, dropOldShells, keepShell } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(dropOldShells().then(() => self.clients.claim())));

self.addEventListener("message", (event) => {
  if (event.data?.type === "claim") event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const answer = answerFromCache(event.request);
  if (answer) event.respondWith(answer);
});

self.addEventListener("push", (event) => {
  const notice = event.data?.json() as PushedNotice | undefined;
  if (notice) event.waitUntil(showPushed(notice));
});

self.addEventListener("notificationclick", (event) => event.waitUntil(clicked(event.notification, event.action)));

// Not every browser has this one.
self.addEventListener("sync" as "message", (event) => {
  if ((event as { readonly tag?: string }).tag === "answers") event.waitUntil(giveWaiting());
});

self.addEventListener("pushsubscriptionchange" as "message", (event) => {
  event.waitUntil(subscribeAgain(self.registration));
});
