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
  /** A sentence for the page and the docs. */
  readonly what: string;
  /** When the help bar offers it; absent: only on the page. */
  readonly offered?: (row: Row | undefined, state: State) => boolean;
}

const always = () => true;
const some = (row: Row | undefined) => row !== undefined;
const alive = (row: Row | undefined) => row !== undefined && isAlive(row);
const hasEnded = (row: Row | undefined) => row !== undefined && !isAlive(row) && row.status !== "Draft";
const restingTask = (row: Row | undefined) => row?.kind === "task" && !isAlive(row);
const hasWork = (row: Row | undefined) => row?.status !== "Draft";
const someoneNeedsMe = (_: Row | undefined, state: State) => listed(state).rows.some(({ needsMe }) => needsMe);
const isSeveral = (_: Row | undefined, { mode }: State) =>
  mode.kind === "answer" && mode.question.kind === "multi_choice";

/** Every key: what is pressed, the help bar, the page behind `?` and docs/tui.md are made from these rows. */
export const keyTable = [
  row("list", ["a"], "answer", "answer", "answer the question that is open", some),
  row("list", ["Tab"], "next-need", "next need", "go to the next one that needs you", someoneNeedsMe),
  row(
    "list",
    ["Enter"],
    "attach",
    "attach",
    "attach with tmux; `C-b d` comes back",
    (one) => alive(one) || one?.kind === "task",
  ),
  row("list", ["s"], "start", "start", "start the task's agent", restingTask),
  row("list", ["t"], "send", "type", "send a line of text", some),
  row("list", ["l"], "journal", "journal", "read everything it printed", some),
  row("list", ["d"], "diff", "diff", "what the task changed", hasWork),
  row("list", ["x"], "stop", "stop", "end the program; what it printed stays", alive),
  row("list", ["r"], "restart", "restart", "run it again in the same place", hasEnded),
  row("list", ["m"], "merge", "merge", "rebase the task's branch and fast-forward its base", hasWork),
  row("list", ["c"], "complete", "complete", "declare the task complete", restingTask),
  row("list", ["D", "Delete"], "remove", "delete", "remove it after a confirmation; unmerged work is kept", some),
  row("list", ["u"], "undo", "undo", "bring back what was removed last"),
  row("list", ["n"], "new", "new", "write down a task without starting it"),
  row("list", ["N"], "new-and-start", "new+start", "a new task, started at once", always),
  row("list", ["/"], "filter", "filter", "show only what holds the words that you type", always),
  row(
    "list",
    ["w"],
    "widen",
    "wide list",
    "the list over the whole width, with all its columns, or beside the screen again",
    always,
  ),
  row("list", ["!"], "shell", "shell", "a shell in its folder", hasWork),
  row("list", ["e"], "edit", "editor", "open its folder in $VISUAL or $EDITOR", hasWork),
  row("list", ["f"], "needs-me", "needs me", "show only what needs you, or everything again"),
  row("list", ["o"], "sort", "sort", "change the order of the rows"),
  row("list", ["A"], "completed", "completed", "show completed tasks too, or hide them"),
  row("list", ["L"], "log", "log", "show or hide the command log"),
  row("list", ["+", "="], "log-more", "more log", "a larger command log"),
  row("list", ["-"], "log-less", "less log", "a smaller command log"),
  row("list", ["j", "Down"], "down", "down", "the next row"),
  row("list", ["k", "Up"], "up", "up", "the row above"),
  row("list", ["PageDown", "C-f"], "page-down", "page down", "a page further"),
  row("list", ["PageUp", "C-b"], "page-up", "page up", "a page back"),
  row("list", ["g", "Home"], "first", "first", "the first row"),
  row("list", ["G", "End"], "last", "last", "the last row"),
  row("list", ["Escape"], "clear", "clear", "take filters away"),
  row("list", ["C-l"], "redraw", "redraw", "draw everything again"),
  row("list", ["?"], "help", "help", "this page", always),
  row("list", ["C-z"], "suspend", "suspend", "back to the shell; `fg` returns"),
  row("list", ["q"], "quit", "quit", "leave; everything goes on", always),

  row("answer", ["Up", "S-Tab"], "option-up", "up", "the option above", always),
  row(
    "answer",
    ["Down", "Tab"],
    "option-down",
    "down",
    "the next option; after the last one, words of your own",
    always,
  ),
  row("answer", ["Space"], "tick", "tick", "tick an option or not, where several can be chosen", isSeveral),
  row("answer", ["PageDown"], "proposal-down", "further", "read further in what is asked"),
  row("answer", ["PageUp"], "proposal-up", "back", "read back in what is asked"),
  row("answer", ["Enter"], "give", "answer", "give the answer", always),
  row("answer", ["Escape"], "leave", "back", "leave the question open", always),

  row("write", ["Enter"], "accept", "send", "done", always),
  row("write", ["Escape"], "leave", "cancel", "never mind", always),

  row("filter", ["Enter"], "accept", "keep", "keep the filter", always),
  row("filter", ["Escape"], "leave", "clear", "take the filter away", always),

  row("confirm", ["y"], "accept", "yes", "yes", always),
  row("confirm", ["n", "Escape", "q"], "leave", "no", "no", always),

  row("pages", ["j", "Down"], "scroll-down", "down", "a line further", always),
  row("pages", ["k", "Up"], "scroll-up", "up", "a line back", always),
  row("pages", ["PageDown", "Space", "C-f"], "scroll-page-down", "page down", "a page further"),
  row("pages", ["PageUp", "C-b"], "scroll-page-up", "page up", "a page back"),
  row("pages", ["g", "Home"], "scroll-first", "top", "the beginning"),
  row("pages", ["G", "End"], "scroll-last", "end", "the end", always),
  row("pages", ["/"], "search", "search", "search for words", always),
  row("pages", ["n"], "search-next", "next", "the next place", (_, { mode }) => mode.kind === "pages" && !!mode.search),
  row("pages", ["N"], "search-before", "before", "the place before"),
  row("pages", ["q", "Escape", "l", "d", "?"], "leave", "back", "back to the list", always),
] as const satisfies readonly Key[];

/** What a key does in a place. */
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
