import { createValue } from "./value.ts";

interface Preferences {
  readonly notify: boolean;
  readonly sound: boolean;
  /** The user was offered notices, and has accepted or declined. */
  readonly asked: boolean;
}

const place = "paneward-preferences";

/** Notification settings of this browser. */
export const preferences = createValue<Preferences>({ notify: false, sound: false, asked: false, ...kept() });

preferences.onChange(() => localStorage.setItem(place, JSON.stringify(preferences.get())));

function kept(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}
