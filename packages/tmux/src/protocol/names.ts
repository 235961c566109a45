import { TmuxError } from "./errors.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type SessionName = Branded<"SessionName">;
/** tmux's own ids. Unique within one server process only: store them with the server's identity. */
export type PaneId = `%${number}`;
export type WindowId = `@${number}`;
export type SessionId = `$${number}`;

const maxLength = 100;

/** tmux turns `.` and `:` into `_`, and then does not find the name it was asked for. */
export function sessionName(text: string): SessionName {
  if (/^[A-Za-z0-9_-]+$/.test(text) && text.length <= maxLength && !text.startsWith("-")) return text as SessionName;
  throw new TmuxError(
    "name_invalid",
    `session name ${JSON.stringify(clip(text))} is not allowed: use 1 to ${maxLength} of A-Z a-z 0-9 _ - and no leading -`,
  );
}

/** Window names may contain almost anything printable; they are only shown, and addressed by id. */
export function windowName(text: string): string {
  const printable = !/[\u0000-\u001f\u007f]/.test(text) && !text.includes(":");
  if (text.length > 0 && text.length <= maxLength && printable) return text;
  throw new TmuxError(
    "name_invalid",
    `window name ${JSON.stringify(clip(text))} is not allowed: use 1 to ${maxLength} printable characters and no ":"`,
  );
}

/** The nearest allowed session name, for example for a folder called `my.project`. */
export function sessionNameFrom(text: string): SessionName {
  const name = text
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, maxLength);
  return sessionName(name === "" ? "unnamed" : name);
}

export function paneId(text: string): PaneId {
  if (/^%\d+$/.test(text)) return text as PaneId;
  throw new TmuxError("no_pane_id", `${JSON.stringify(clip(text))} is not a tmux pane id; ids look like %12`);
}

export function windowId(text: string): WindowId {
  if (/^@\d+$/.test(text)) return text as WindowId;
  throw new TmuxError("session_not_found", `${JSON.stringify(clip(text))} is not a tmux window id; ids look like @12`);
}

function clip(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
