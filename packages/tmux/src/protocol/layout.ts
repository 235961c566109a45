import { TmuxError } from "./errors.ts";

const named = ["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];

/** A layout tmux can parse. tmux 3.3a does not refuse an unknown one: it crashes. */
export function checkLayout(text: string): string {
  if (named.includes(text) || /^[0-9a-f]{4},\d+x\d+,\d+,\d+[0-9x,{}[\]]+$/.test(text)) return text;
  const known = named.join(", ");
  throw new TmuxError(
    "name_invalid",
    `${JSON.stringify(text.slice(0, 80))} is not a layout: use ${known}, or one from a listing of windows`,
  );
}
