import { TmuxError } from "./errors.ts";

/** A key as tmux names it: `Enter`, `C-c`, `M-Left`, `F5`, or one character. */
export type KeyName = string;

const named = new Map(
  [
    "Enter Escape Tab BTab Space BSpace Up Down Left Right Home End Insert IC Delete DC NPage PageDown PgDn",
    "PPage PageUp PgUp F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12",
    "KP0 KP1 KP2 KP3 KP4 KP5 KP6 KP7 KP8 KP9 KP/ KP* KP- KP+ KP. KPEnter",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

/**
 * The key with its name in tmux's own letters: tmux takes `ENTER` and `^m` too, and who asks which key it is must not miss
 * them. tmux types an unknown name as text, letter by letter, so names are checked before anything is sent.
 */
export function checkKey(key: string): KeyName {
  const [, modifiers = "", base] = /^(\^(?=.)|(?:[CMS]-)*)(.+)$/su.exec(key) ?? [];
  const name = base === undefined || /^[^\u0000-\u001f\u007f]$/u.test(base) ? base : named.get(base.toLowerCase());
  if (name !== undefined) return `${modifiers === "^" ? "C-" : modifiers}${name}`;
  throw new TmuxError("send_failed", `unknown key ${JSON.stringify(key)}${suggestion(key)}`);
}

const common = new Map(
  Object.entries({
    return: "Enter",
    cr: "Enter",
    esc: "Escape",
    backspace: "BSpace",
    pageup: "PageUp",
    del: "Delete",
    "ctrl-c": "C-c",
    "ctrl+c": "C-c",
  }),
);

function suggestion(key: string): string {
  const meant = common.get(key.toLowerCase());
  return meant ? `; did you mean ${meant}?` : "; keys look like Enter, Escape, Up, C-c, M-x, F5 or one character";
}
