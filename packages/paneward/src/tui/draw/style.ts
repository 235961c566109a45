/** The looks of the interface: the terminal's own colours and its sixteen named ones, so that any background works. */
export const look = {
  plain: "",
  dim: "2",
  bold: "1",
  selected: "7",
  title: "1;7",
  group: "1;36",
  key: "1",
  good: "32",
  wants: "1;33",
  bad: "31",
  rest: "34",
  quiet: "2",
  stopped: "35",
  ended: "36",
  added: "32",
  removed: "31",
  place: "36",
  found: "30;43",
} as const;

/** How many colours the terminal shows. */
export type Depth = "none" | "16" | "256";

export function depthOf(env: Readonly<Record<string, string | undefined>>): Depth {
  if (env.NO_COLOR || env.TERM === "dumb") return "none";
  const many = env.COLORTERM === "truecolor" || env.COLORTERM === "24bit" || (env.TERM ?? "").includes("256color");
  return many ? "256" : "16";
}

/** Without colours only weight and reversal are left. */
export function withoutColour(style: string): string {
  return style
    .split(";")
    .filter((part) => /^[1-9]$/.test(part))
    .join(";");
}
