/** Registers the service worker, which keeps the dashboard's files and shows notices. Optional: without it, both are missing. */
export function keepShell(): void {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  serviceWorker.register("/sw.js").catch(() => {});
  // A page that was loading when the worker took control is not controlled by it yet.
  serviceWorker.ready.then(({ active }) => {
    if (!serviceWorker.controller) active?.postMessage({ type: "claim" });
  });
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.type === "show") location.href = String(data.address);
  });
  reloadWhenNewer();
}

// The page comes from the cache, so after an update of Paneward it is the one before; nobody has used it yet.
function reloadWhenNewer(): void {
  const { serviceWorker } = navigator;
  let isUsed = serviceWorker.controller === null;
  const used = () => {
    isUsed = true;
  };
  for (const type of ["pointerdown", "keydown"] as const) addEventListener(type, used, { once: true });
  serviceWorker.addEventListener("controllerchange", () => {
    if (!isUsed) location.reload();
  });
}
