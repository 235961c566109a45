import { allows } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { route } from "./route.ts";
import { scope } from "./session.ts";

const everyMs = 30_000;
const place = "paneward-viewer";

/** The same while this tab is open, so that a page that was loaded again continues what it reported. */
function viewerOfTab(): string {
  const viewer = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, viewer);
  return viewer;
}

/** Reports what a person has before the eyes on this page: nobody is told of that elsewhere. Until the function is called. */
export function reportPresence(sees: () => readonly string[] | undefined): () => void {
  const viewer = viewerOfTab();
  let isNoted = false;
  let before: Promise<unknown> = Promise.resolve();
  const report = () => {
    const may = scope.get();
    if (may === undefined || !allows(may, "send")) return;
    const isLooking = document.visibilityState === "visible" && document.hasFocus();
    if (!isLooking && !isNoted) return;
    isNoted = isLooking;
    const ids = isLooking ? sees() : [];
    const seconds = isLooking ? (everyMs * 1.5) / 1_000 : 0;
    // Without it, one notice more is sent.
    const send = () =>
      client.presence({ viewer, seconds, ...(ids === undefined ? {} : { sees: [...ids] }) }).catch(() => undefined);
    // In order; only who leaves cannot wait.
    before = isLooking ? before.then(send) : send();
  };
  const timer = setInterval(report, everyMs);
  const stops = [route.onChange(report), scope.onChange(report)];
  document.addEventListener("visibilitychange", report);
  for (const type of ["focus", "blur"] as const) addEventListener(type, report);
  report();
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", report);
    for (const type of ["focus", "blur"] as const) removeEventListener(type, report);
  };
}

/** What the dashboard shows: all on the overview, one on its page, nothing elsewhere. */
export function seenOnRoute(): readonly string[] | undefined {
  const [page = "", id = ""] = route.get();
  if (page === "") return undefined;
  return page === "task" || page === "terminal" || page === "agent" ? [id] : [];
}
