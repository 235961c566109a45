import { PanewardError } from "@paneward/sdk";
import { countsOf, needWords, type Row, rowsOf } from "@paneward/sdk/view";
import { badgeIcon } from "./badge.ts";
import { view } from "./live.ts";
import { sayFailure } from "./notices.ts";
import { linkTo, route } from "./route.ts";
import { createValue } from "./value.ts";

interface Preferences {
  readonly notify: boolean;
  readonly sound: boolean;
}

const place = "paneward-preferences";

/** What this browser's person wants to be told. */
export const preferences = createValue<Preferences>({ notify: false, sound: false, ...kept() });

preferences.onChange(() => localStorage.setItem(place, JSON.stringify(preferences.get())));

export async function askToNotify(wanted: boolean): Promise<void> {
  const isAllowed = wanted && "Notification" in window && (await Notification.requestPermission()) === "granted";
  preferences.set({ ...preferences.get(), notify: isAllowed });
  if (wanted && !isAllowed) {
    throw new PanewardError("not_allowed", "The browser does not let this page tell you", {
      hint: "allow notifications in the browser's settings of this page",
    });
  }
}

/** Counts in title and icon, and a word when somebody begins to need a person who is not looking at it. */
export function watchAttention(): () => void {
  let known: ReadonlyMap<string, string> | undefined;
  return view.onChange(() => {
    const rows = rowsOf(view.get());
    const { needMe } = countsOf(rows);
    document.title = needMe > 0 ? `(${needMe}) Paneward` : "Paneward";
    document.getElementById("favicon")?.setAttribute("href", badgeIcon(needMe));
    const waiting = rows.filter((row) => row.needsMe);
    const fresh = waiting.filter((row) => known && isFresh(row, known.get(row.key)));
    // What waited before the page was opened is on the page already.
    if (known || view.get().lastEvent > 0) {
      const before = known;
      known = new Map(waiting.map(({ key, question }) => [key, question?.id ?? before?.get(key) ?? ""]));
    }
    for (const row of fresh) if (!isLookedAt(row)) tell(row).catch(sayFailure);
  });
}

// The status may come a moment before its question: that is one thing to tell, and another question is another.
function isFresh({ question }: Row, before: string | undefined): boolean {
  if (before === undefined) return true;
  return question !== undefined && before !== "" && before !== question.id;
}

function isLookedAt({ kind, id }: Row): boolean {
  const [where = "", what] = route.get();
  return document.hasFocus() && (where === "" || (where === kind && what === id));
}

async function tell(row: Row): Promise<void> {
  const { notify, sound } = preferences.get();
  if (sound) beep();
  if (!notify || Notification.permission !== "granted") return;
  const options = { body: needWords(row), tag: row.key, icon: "/icon.svg", data: `/${linkTo(row.kind, row.id)}` };
  const title = `${row.name} needs you`;
  // A phone takes it from a service worker alone; a browser that has none takes it from the page.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) await worker.showNotification(title, options);
  else new Notification(title, options);
}

// Two short tones; a file would be one more thing to fetch.
function beep(): void {
  const audio = new AudioContext();
  for (const [at, pitch] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.08, audio.currentTime + at * 0.16);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at * 0.16 + 0.15);
    tone.connect(loud).connect(audio.destination);
    tone.start(audio.currentTime + at * 0.16);
    tone.stop(audio.currentTime + at * 0.16 + 0.15);
  }
  setTimeout(() => void audio.close(), 1_000);
}

function kept(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}
