// Caches the dashboard's own files, so that it opens while the daemon is unreachable. Responses of the API are not
// cached.
const cacheName = "paneward-%version%";
const files = "%files%".split(",");

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const forgetOld = async () => {
    for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(forgetOld());
});

self.addEventListener("message", (event) => {
  if (event.data?.type === "claim") event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !files.includes(pathname)) return;
  const fromNetwork = () => fetch(event.request);
  const kept = () => caches.match(pathname);
  // A file with a hash in its name never changes; the page itself is fetched first.
  const answer = pathname.startsWith("/assets/")
    ? kept().then((found) => found ?? fromNetwork())
    : fromNetwork().catch(() => kept());
  event.respondWith(answer);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = event.notification.data;
  const show = async () => {
    const [open] = await self.clients.matchAll({ type: "window" });
    if (!open) return self.clients.openWindow(address);
    open.postMessage({ type: "show", address });
    return open.focus();
  };
  event.waitUntil(show());
});
