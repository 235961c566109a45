import { allows } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { viewerOfTab } from "../api/viewer.ts";
import { lastWord } from "./last-word.ts";
import { view } from "./live.ts";
import { route } from "./route.ts";
import { scope } from "./session.ts";

const everyMs = 30_000;
/** Who has used nothing for so long may have left, with the page in front. */
const looksForMs = 120_000;
const uses = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"] as const;

interface Seen {
  readonly seconds: number;
  readonly sees?: string[];
}

/**
 * Reports what a person has before the eyes on this page, while the page is in front and is used: no notice is sent about that
 * elsewhere. Until the function is called.
 */
export function reportPresence(sees: () => readonly string[] | undefined): () => void {
  const viewer = viewerOfTab();
  let isNoted = false;
  let usedAt = performance.now();
  // Without one of them, one notice more is sent.
  const { say, sayAtOnce } = lastWord((seen: Seen) => client.presence({ viewer, ...seen }).catch(() => undefined));
  const report = () => {
    const may = scope.get();
    if (may === undefined || !allows(may, "send")) return;
    const left = usedAt + looksForMs - performance.now();
    const isLooking = document.visibilityState === "visible" && document.hasFocus() && left > 0;
    if (!isLooking && !isNoted) return;
    isNoted = isLooking;
    const ids = isLooking ? sees() : [];
    const seconds = isLooking ? Math.min(everyMs * 1.5, left) / 1_000 : 0;
    const seen = { seconds, ...(ids === undefined ? {} : { sees: [...ids] }) };
    if (isLooking) say(seen);
    else sayAtOnce(seen);
  };
  const used = () => {
    const wasAway = !isNoted;
    usedAt = performance.now();
    if (wasAway) report();
  };
  const cameBack = () => {
    usedAt = performance.now();
    report();
  };
  const timer = setInterval(report, everyMs);
  // While the connection is lost, this page counts as closed.
  let isLost = false;
  const connected = () => {
    const wasLost = isLost;
    isLost = view.get().connection.kind === "lost";
    if (wasLost && !isLost) report();
  };
  const stops = [route.onChange(report), scope.onChange(report), view.onChange(connected)];
  document.addEventListener("visibilitychange", cameBack);
  addEventListener("focus", cameBack);
  addEventListener("blur", report);
  for (const type of uses) addEventListener(type, used, { passive: true });
  report();
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", cameBack);
    removeEventListener("focus", cameBack);
    removeEventListener("blur", report);
    for (const type of uses) removeEventListener(type, used);
  };
}

/** What the dashboard shows: all on the overview, one on its page, nothing elsewhere. */
export function seenOnRoute(): readonly string[] | undefined {
  const [page = "", id = ""] = route.get();
  if (page === "") return undefined;
  return page === "task" || page === "terminal" || page === "agent" ? [id] : [];
}
