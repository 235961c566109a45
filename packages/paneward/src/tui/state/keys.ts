import type { Row } from "@paneward/sdk/view";
import { listed } from "./lines.ts";
import { isAlive, type Mode, type State } from "./state.ts";

/** What a key can do. */
export type Action = (typeof keyTable)[number]["does"];

type Place = Mode["kind"];

export interface Key {
  readonly keys: readonly string[];
  readonly place: Place;
  readonly does: string;
  /** Two words for the help bar. */
  readonly label: string;
  /** For the help page and the docs. */
  readonly what: string;
  /** When the help bar shows it; absent: never. */
  readonly offered?: (row: Row | undefined, state: State) => boolean;
}

const always = () => true;
const some = (row: Row | undefined) => row !== undefined;
const alive = (row: Row | undefined) => row !== undefined && isAlive(row);
const hasEnded = (row: Row | undefined) => row !== undefined && !isAlive(row) && row.status !== "Draft";
const restingTask = (row: Row | undefined) => row?.kind === "task" && !isAlive(row);
const hasWork = (row: Row | undefined) => row?.status !== "Draft";
const anyNeedsMe = (_: Row | undefined, state: State) => listed(state).rows.some(({ needsMe }) => needsMe);
const isMultiChoice = (_: Row | undefined, { mode }: State) =>
  mode.kind === "answer" && mode.question.kind === "multi_choice";

const asksRead = (_: Row | undefined, { mode }: State) => mode.kind === "answer" && mode.asksRead === true;

/** Every key. Key handling, the help bar, the `?` page and docs/tui.md all use these rows. */
export const keyTable = [
  row("list", ["a"], "answer", "answer", "answer the open question", some),
  row("list", ["Tab"], "next-need", "next need", "go to the next row that needs you", anyNeedsMe),
  row(
    "list",
    ["Enter"],
    "attach",
    "attach",
    "attach with tmux; `C-b d` returns, inside your own tmux `C-b C-b d`",
    (one) => alive(one) || one?.kind === "task",
  ),
  row("list", ["s"], "start", "start", "start the task's agent", restingTask),
  row("list", ["t"], "send", "type", "send a line of text", some),
  row("list", [":"], "command", "command", "send a command of the agent, such as `/compact`"),
  row("list", ["l"], "journal", "journal", "read everything it printed", some),
  row("list", ["d"], "diff", "diff", "show what the task changed", hasWork),
  row("list", ["x"], "stop", "stop", "end the program; what it printed stays", alive),
  row("list", ["r"], "restart", "restart", "run it again in the same place", hasEnded),
  row("list", ["m"], "merge", "merge", "rebase the task's branch and fast-forward its base", hasWork),
  row("list", ["c"], "complete", "complete", "mark the task as completed", restingTask),
  row("list", ["D", "Delete"], "remove", "delete", "remove it after a confirmation; unmerged work is kept", some),
  row("list", ["u"], "undo", "undo", "restore what was removed last"),
  row("list", ["n"], "new", "new", "create a task without starting it"),
  row("list", ["N"], "new-and-start", "new+start", "create a task and start it", always),
  row("list", ["/"], "filter", "filter", "show only rows that contain the text you type", always),
  row(
    "list",
    ["w"],
    "widen",
    "wide list",
    "show the list over the whole width with all columns, or beside the screen",
    always,
  ),
  row("list", ["!"], "shell", "shell", "open a shell in its folder", hasWork),
  row("list", ["e"], "edit", "editor", "open its folder in $VISUAL or $EDITOR", hasWork),
  row("list", ["f"], "needs-me", "needs me", "show only rows that need you, or all rows"),
  row("list", ["o"], "sort", "sort", "change the order of the rows"),
  row("list", ["A"], "completed", "completed", "show completed tasks too, or hide them"),
  row("list", ["L"], "log", "log", "show or hide the command log"),
  row("list", ["+", "="], "log-more", "more log", "a larger command log"),
  row("list", ["-"], "log-less", "less log", "a smaller command log"),
  row("list", ["j", "Down"], "down", "down", "the next row"),
  row("list", ["k", "Up"], "up", "up", "the row above"),
  row("list", ["PageDown", "C-f"], "page-down", "page down", "one page down"),
  row("list", ["PageUp", "C-b"], "page-up", "page up", "one page up"),
  row("list", ["g", "Home"], "first", "first", "the first row"),
  row("list", ["G", "End"], "last", "last", "the last row"),
  row("list", ["Escape"], "clear", "clear", "clear all filters"),
  row("list", ["C-l"], "redraw", "redraw", "redraw the screen"),
  row("list", ["?"], "help", "help", "this page", always),
  row("list", ["C-z"], "suspend", "suspend", "back to the shell; `fg` returns"),
  row("list", ["q"], "quit", "quit", "quit; everything keeps running", always),

  row("answer", ["Up", "S-Tab"], "option-up", "previous", "the option above", always),
  row("answer", ["Down", "Tab"], "option-down", "next", "the next option; after the last one, free text", always),
  row("answer", ["Space"], "tick", "tick", "tick or untick an option, where several can be chosen", isMultiChoice),
  row("answer", ["PageDown"], "proposal-down", "further", "scroll the question down"),
  row("answer", ["PageUp"], "proposal-up", "back", "scroll the question up"),
  row("answer", ["Enter"], "give", "answer", "send the answer", always),
  row("answer", ["y"], "has-read", "I read it", "confirm that you read all of a screen, where that is asked", asksRead),
  row("answer", ["Escape"], "leave", "back", "leave the question open", always),

  row("write", ["Enter"], "accept", "send", "send the line", always),
  row("write", ["Escape"], "leave", "cancel", "cancel", always),

  row("filter", ["Enter"], "accept", "keep", "keep the filter", always),
  row("filter", ["Escape"], "leave", "clear", "remove the filter", always),

  row("confirm", ["y"], "accept", "yes", "yes", always),
  row("confirm", ["n", "Escape", "q"], "leave", "no", "no", always),

  row("pages", ["j", "Down"], "scroll-down", "down", "one line down", always),
  row("pages", ["k", "Up"], "scroll-up", "up", "one line up", always),
  row("pages", ["PageDown", "Space", "C-f"], "scroll-page-down", "page down", "one page down"),
  row("pages", ["PageUp", "C-b"], "scroll-page-up", "page up", "one page up"),
  row("pages", ["g", "Home"], "scroll-first", "top", "the beginning"),
  row("pages", ["G", "End"], "scroll-last", "end", "the end", always),
  row("pages", ["/"], "search", "search", "search for text", always),
  row("pages", ["n"], "search-next", "next", "the next match", (_, { mode }) => mode.kind === "pages" && !!mode.search),
  row("pages", ["N"], "search-before", "previous", "the previous match"),
  row("pages", ["q", "Escape", "l", "d", "?"], "leave", "back", "back to the list", always),
] as const satisfies readonly Key[];

/** What a key does in a mode. */
export function actionOf(place: Place, key: string): Action | undefined {
  return (keyTable as readonly Key[]).find((one) => one.place === place && one.keys.includes(key))?.does as
    | Action
    | undefined;
}

/** The page behind `?`, and the tables in docs/tui.md. */
export function keyPage(): readonly (readonly [place: string, keys: string, what: string])[] {
  return (keyTable as readonly Key[]).map(({ place, keys, what }) => [places[place], keys.join(" "), what]);
}

const places: Readonly<Record<Place, string>> = {
  list: "In the list",
  answer: "A question",
  write: "Writing a line",
  filter: "Filtering",
  confirm: "A confirmation",
  pages: "A journal, a diff, this page",
};

function row<const Does extends string>(
  place: Place,
  keys: readonly string[],
  does: Does,
  label: string,
  what: string,
  offered?: Key["offered"],
) {
  return { place, keys, does, label, what, ...(offered === undefined ? {} : { offered }) };
}
