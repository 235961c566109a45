/**
 * The looks of letters. Each terminal paints the sixteen named colours in its own way: yellow, green and cyan letters
 * vanish on white, blue ones on black. So letters are in the terminal's own colour, or black on yellow; what else is
 * told by colour stands beside them as a block, and the words tell it too.
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

/** Lines between things. They may be faint, because nothing is to be read there. */
export const rule = "2";

/** The grounds of blocks, which hold no letters. */
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

/** Without colours only weight and reversal are left; what has ink and paper of its own is reversed. */
export function withoutColour(style: string): string {
  if (style === look.wants) return look.selected;
  return style
    .split(";")
    .filter((part) => /^[1-9]$/.test(part))
    .join(";");
}
