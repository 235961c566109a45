import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";

/** `unclear`: the report names nothing that the screen would have to show. */
export type Agreement = "same" | "other" | "unclear";

type Drawn = Pick<ShownQuestion, "kind" | "proposal" | "region" | "cut">;

/** Whether a dialog shows what the agent itself reported, however it is wrapped, quoted or cut. */
export function agreement(screen: Drawn, own: Pick<Question, "kind" | "proposal">): Agreement {
  const { command, path, diff, more } = own.proposal ?? {};
  const drawn = screen.proposal ?? {};
  if (command !== undefined) {
    return compared(screen, command, drawn.command, (seen) => isSameCommand(seen, command, screen.cut));
  }
  if (path !== undefined) {
    const isThere = (seen: string) => path.split(", ").some((one) => isSamePath(seen, one));
    return compared(screen, path, drawn.path, (seen) => isThere(seen) && isSameChange(drawn.diff, diff));
  }
  return more === undefined ? "unclear" : agreesOnMore(screen, own.kind, more);
}

function compared(
  { region }: Drawn,
  named: string,
  seen: string | undefined,
  isSame: (seen: string) => boolean,
): Agreement {
  if (seen === undefined) return draws(region, named) ? "same" : "unclear";
  return isSame(seen) ? "same" : "other";
}

function agreesOnMore({ kind, proposal = {}, region }: Drawn, ownKind: Question["kind"], more: string): Agreement {
  // A plan is drawn above its question.
  if (ownKind === "plan" || kind === "plan") return ownKind === kind ? "same" : "unclear";
  if (proposal.command !== undefined || proposal.path !== undefined) return "other";
  return wordsIn(more).every((word) => draws(region, word)) ? "same" : "unclear";
}

/** Whether two texts are one command: wrapped, with other blanks, in a shell's `-lc`, or cut at an end. */
export function isSameCommand(drawn: string, own: string, cut?: ShownQuestion["cut"]): boolean {
  const shown = squeezed(drawn);
  return [own, unquoted(own)].some((one) => {
    const whole = squeezed(one);
    if (shown === whole) return true;
    if (cut === undefined || shown === "") return false;
    return cut === "end" ? whole.startsWith(shown) : whole.endsWith(shown);
  });
}

/** A screen shows a path from where the agent works. */
export function isSamePath(one: string, other: string): boolean {
  return isPathOf(one, other) || isPathOf(other, one);
}

function isPathOf(whole: string, part: string): boolean {
  return whole === part || whole.endsWith(`/${part.replace(/^\.?\//, "")}`);
}

// `3 +changed` and `3 + changed` are lines that would be added.
function isSameChange(drawn = "", own = ""): boolean {
  const lines = drawn.split("\n").flatMap((line) => /^\s*\d+ [+-] ?(.*?)…?$/.exec(line)?.[1] ?? []);
  return own === "" || lines.every((line) => squeezed(own).includes(squeezed(line)));
}

/** The values of an input in JSON, as a dialog lists them. */
function wordsIn(more: string): readonly string[] {
  try {
    return leaves(JSON.parse(more));
  } catch {
    return [more];
  }
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leaves);
  return value === "" || value === null ? [] : [String(value)];
}

function draws(region: string, what: string): boolean {
  const frame = /[│┃]/g;
  return what !== "" && squeezed(region).replace(frame, "").includes(squeezed(what).replace(frame, ""));
}

// What no terminal draws: agents leave out control characters and tabs.
function squeezed(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, "");
}

function unquoted(command: string): string {
  const [, , quote = "", inner] = /^(\S*\/)?(?:ba|z|da)?sh -l?c (["']?)([\s\S]*)\2$/.exec(command) ?? [];
  if (inner === undefined) return command;
  return quote === '"' ? inner.replace(/\\(["\\$`])/g, "$1") : inner.replaceAll(`'\\''`, "'");
}
