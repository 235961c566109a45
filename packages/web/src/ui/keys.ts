import { rowsOf } from "@paneward/sdk/view";
import { view } from "../state/live.ts";
import { go, route } from "../state/route.ts";

export interface Shortcut {
  readonly key: string;
  readonly what: string;
  readonly act: () => void;
}

/** The keyboard shortcuts; the help page reads the same list. */
export function shortcuts(toggleHelp: () => void): readonly Shortcut[] {
  return [
    { key: "?", what: "this help", act: toggleHelp },
    { key: "g", what: "overview", act: () => go() },
    { key: "n", what: "next one that needs you", act: nextWaiting },
    { key: "c", what: "new task", act: () => go("new") },
    { key: "t", what: "team", act: () => go("team") },
    { key: "e", what: "events", act: () => go("events") },
    { key: "h", what: "hosts", act: () => go("hosts") },
    { key: "s", what: "settings", act: () => go("settings") },
    { key: "/", what: "filter the overview", act: () => document.getElementById("filter")?.focus() },
  ];
}

/** Handles keys until the returned function is called. Keys typed into a field or a terminal are left alone. */
export function listenToKeys(list: readonly Shortcut[]): () => void {
  const press = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    const found = list.find(({ key }) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found.act();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

function nextWaiting(): void {
  const waiting = rowsOf(view.get()).filter(({ needsMe }) => needsMe);
  const [kind, id] = route.get();
  const here = waiting.findIndex((row) => row.kind === kind && row.id === id);
  const next = waiting[(here + 1) % Math.max(1, waiting.length)];
  if (next) go(next.kind, next.id);
}
