import type { ShownQuestion } from "../../agents/agent.ts";
import { isSameCommand } from "./agreement.ts";

/** Whether a dialog shows what was reported: all of it, its beginning, something that names nothing, or something else. */
export type Sight = "whole" | "part" | "maybe" | "no";

type Reported = Pick<ShownQuestion, "kind" | "text"> & { readonly proposal?: ShownQuestion["proposal"] | undefined };

export function showsRequest(screen: ShownQuestion, reported: Reported): Sight {
  if (screen.kind !== reported.kind) return "no";
  const { proposal } = reported;
  if (!proposal) return found(screen, reported.text);
  const { command, path, more } = proposal;
  if (command !== undefined) return showsCommand(screen, command);
  if (path !== undefined) return showsPath(screen, path);
  // A dialog that names a command or a file is not about a tool that has none.
  if ((screen.proposal?.command ?? screen.proposal?.path) !== undefined) return "no";
  const words = wordsIn(more);
  if (words.length === 0) return "maybe";
  return words.some((word) => found(screen, word) !== "no") ? "part" : "no";
}

/** The one of several requests that a dialog shows: by all of its words, else by their beginning, else by being alone. */
export function requestShown<Asked extends Reported>(
  screen: ShownQuestion,
  reported: readonly Asked[],
): Asked | undefined {
  const sights = reported.map((one) => showsRequest(screen, one));
  const at = (sight: Sight) => reported[sights.indexOf(sight)];
  return at("whole") ?? at("part") ?? (reported.length === 1 ? at("maybe") : undefined);
}

// `make` is not the beginning of `make install`: a dialog that names its command shows all of it, cuts it when it is long,
// or ends it with one of its lines.
function showsCommand(screen: ShownQuestion, command: string): Sight {
  const shown = squeezed((screen.proposal?.command ?? "").replace(/(…|\.\.\.)\s*$/, ""));
  if (shown === "") return screen.proposal?.path === undefined ? found(screen, command) : "no";
  const { proposal, cut } = screen;
  if (isSameCommand(proposal?.command ?? "", command, cut)) return cut === undefined ? "whole" : "part";
  const wanted = squeezed(command);
  const lines = command.split("\n");
  const isCut = shown.length >= cutAfter || lines.some((_, at) => squeezed(lines.slice(0, at).join("")) === shown);
  return isCut && wanted.startsWith(shown) ? "part" : "no";
}

// A long text is cut or wrapped on the screen; its beginning is there.
function found(screen: ShownQuestion, what: string): Sight {
  const shown = squeezed(`${screen.region} ${screen.text}`);
  const wanted = squeezed(what);
  if (wanted !== "" && shown.includes(wanted)) return "whole";
  return wanted.length >= cutAfter && shown.includes(wanted.slice(0, cutAfter)) ? "part" : "no";
}

const cutAfter = 24;

function squeezed(text: string): string {
  return text.replace(/[\s│┃|]+/g, "");
}

// A screen shows a path from where the agent works.
function showsPath(screen: ShownQuestion, path: string): Sight {
  const shown = screen.proposal?.path;
  if (shown === undefined) return found(screen, path);
  const isPathOf = (whole: string, part: string) =>
    whole === part || whole.endsWith(`/${part.replace(/^(~|\.)?\//, "")}`);
  return isPathOf(path, shown) || isPathOf(shown, path) ? "whole" : "no";
}

/** The texts in what a tool without a command was given. */
function wordsIn(more: string | undefined): readonly string[] {
  try {
    return textsIn(JSON.parse(more ?? ""));
  } catch {
    // Not JSON: words of the agent's own.
    return [];
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return squeezed(value).length >= minWord ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const minWord = 3;
