import { countsOf, needWords, type Row, rowsOf } from "@paneward/sdk/view";
import { badgeIcon } from "./badge.ts";
import { view } from "./live.ts";
import { showError } from "./notices.ts";
import { preferences } from "./preferences.ts";
import { linkTo, route } from "./route.ts";
import { isPushed } from "./telling.ts";

/** Counts in title and icon, and a notification when a row that is not in view starts to need a person. */
export function watchAttention(): () => void {
  let known: ReadonlyMap<string, string> | undefined;
  return view.onChange(() => {
    const rows = rowsOf(view.get());
    const { needMe } = countsOf(rows);
    document.title = needMe > 0 ? `(${needMe}) Paneward` : "Paneward";
    document.getElementById("favicon")?.setAttribute("href", badgeIcon(needMe));
    const waiting = rows.filter((row) => row.needsMe);
    const fresh = waiting.filter((row) => known && isFresh(row, known.get(row.key)));
    // What waited before the page was opened is already visible on it.
    if (known || view.get().lastEvent > 0) {
      const before = known;
      known = new Map(waiting.map(({ key, question }) => [key, question?.id ?? before?.get(key) ?? ""]));
    }
    for (const row of fresh) if (!isVisible(row)) notifyOf(row).catch(showError);
  });
}

// The status may arrive just before its question: one notification for both, and one for each further question.
function isFresh({ question }: Row, before: string | undefined): boolean {
  if (before === undefined) return true;
  return question !== undefined && before !== "" && before !== question.id;
}

function isVisible({ kind, id }: Row): boolean {
  const [where = "", what] = route.get();
  return document.hasFocus() && (where === "" || (where === kind && what === id));
}

async function notifyOf(row: Row): Promise<void> {
  const { notify, sound } = preferences.get();
  if (sound) beep();
  // Notices of the daemon arrive without a page, too.
  if (!notify || isPushed.get() || Notification.permission !== "granted") return;
  const options = { body: needWords(row), tag: row.key, icon: "/icon.svg", data: { page: pageOf(row) } };
  const title = `${row.name} needs you`;
  // Phones accept notifications only from a service worker; browsers without one accept them from the page.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) await worker.showNotification(title, options);
  else new Notification(title, options);
}

function pageOf({ kind, id, question }: Row): string {
  return question ? linkTo("question", question.id) : linkTo(kind, id);
}

// Two short tones; a file would be one more request.
function beep(): void {
  const audio = new AudioContext();
  for (const [at, pitch] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, audio.currentTime + at * 0.16);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at * 0.16 + 0.15);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at * 0.16);
    tone.stop(audio.currentTime + at * 0.16 + 0.15);
  }
  setTimeout(() => void audio.close(), 1_000);
}
