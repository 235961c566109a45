/**
 * Text styles. Terminals render the sixteen named colours differently: yellow, green and cyan text is unreadable on
 * white, blue text on black. So text has the terminal's default colour, or is black on yellow. All other colours are
 * blocks beside the text, and the text carries the same information.
 */
export const look = {
  plain: "",
  bold: "1",
  head: "4",
  selected: "7",
  title: "1;7",
  group: "1",
  key: "1",
  wants: "30;43",
  found: "30;43",
} as const;

/** Separator lines. They may be faint: they carry no text. */
export const rule = "2";

/** Background colours of blocks, which hold no text. */
export const block = {
  none: "",
  working: "42",
  resting: "44",
  stopped: "45",
  ended: "46",
  failed: "41",
  added: "42",
  removed: "41",
} as const;

/** How many colours the terminal shows. */
export type Depth = "none" | "16" | "256";

export function depthOf(env: Readonly<Record<string, string | undefined>>): Depth {
  if (env.NO_COLOR || env.TERM === "dumb") return "none";
  const many = env.COLORTERM === "truecolor" || env.COLORTERM === "24bit" || (env.TERM ?? "").includes("256color");
  return many ? "256" : "16";
}

/** Keeps only attributes such as bold and reverse; black on yellow becomes reverse. */
export function withoutColour(style: string): string {
  if (style === look.wants) return look.selected;
  return style
    .split(";")
    .filter((part) => /^[1-9]$/.test(part))
    .join(";");
}
