import { TmuxError } from "./errors.ts";

const named = ["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];

/** A layout that tmux can read. An unknown one is not refused by tmux 3.3a: it ends the server. */
export function checkLayout(text: string): string {
  if (named.includes(text) || /^[0-9a-f]{4},\d+x\d+,\d+,\d+[0-9x,{}[\]]+$/.test(text)) return text;
  const known = named.join(", ");
  throw new TmuxError(
    "name_invalid",
    `${JSON.stringify(text.slice(0, 80))} is no layout: use ${known}, or one that a listing of windows showed`,
  );
}
