import type { Key } from "./keys.ts";
import type { AgentKind } from "./kinds.ts";

export type DialogAnswer =
  | { readonly kind: "option"; readonly index: number }
  | { readonly kind: "options"; readonly indices: readonly number[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "escape" };

/** An open dialog: it gets all keys until it is answered. */
export interface Dialog {
  readonly kind: "permission" | "choice" | "many" | "plan";
  readonly title: string;
  readonly detail: string;
  readonly options: readonly string[];
  /** The option that opens a line for free text. */
  readonly own?: number;
  readonly openedAt: number;
  selected: number;
  readonly checked: Set<number>;
  /** The text in that line; undefined while it is closed. */
  entry?: string;
  /** A multiple choice is being reviewed. */
  reviewing?: boolean;
}

/** Applies a key to a dialog; returns the answer if it gives one. */
export function press(kind: AgentKind, dialog: Dialog, key: Key): DialogAnswer | undefined {
  if (key.kind === "named" && key.name === "Escape") return { kind: "escape" };
  if (dialog.entry !== undefined) return typeInto(dialog, key);
  if (key.kind === "paste") return undefined;
  if (key.kind === "text") return letter(kind, dialog, key.text);
  return move(kind, dialog, key.name);
}

function typeInto(dialog: Dialog, key: Key): DialogAnswer | undefined {
  const entry = dialog.entry ?? "";
  if (key.kind !== "named") dialog.entry = entry + key.text;
  else if (key.name === "Backspace") dialog.entry = entry.slice(0, -1);
  else if (key.name === "Enter" && entry !== "") return { kind: "text", text: entry };
  return undefined;
}

// A dialog ignores text that arrives in one piece; only single keys count.
function letter(kind: AgentKind, dialog: Dialog, text: string): DialogAnswer | undefined {
  if (text === " ") return dialog.kind === "many" ? toggle(dialog, dialog.selected) : undefined;
  if (kind === "codex" && dialog.kind === "permission") {
    const index = ["y", "p", "n"].indexOf(text);
    if (index >= 0) return { kind: "option", index };
  }
  // opencode's buttons and pi's lists have no numbers.
  if ((kind === "opencode" && dialog.kind === "permission") || kind === "pi") return undefined;
  const index = Number(text) - 1;
  if (text.length !== 1 || !(index >= 0 && index < lengthOf(dialog))) return undefined;
  if (dialog.kind === "many" && !dialog.reviewing) return toggle(dialog, index);
  return choose(dialog, index);
}

function move(
  kind: AgentKind,
  dialog: Dialog,
  name: Extract<Key, { kind: "named" }>["name"],
): DialogAnswer | undefined {
  const last = lengthOf(dialog) - 1;
  const [back, on] = kind === "opencode" && dialog.kind === "permission" ? ["Left", "Right"] : ["Up", "Down"];
  if (name === back) dialog.selected = Math.max(0, dialog.selected - 1);
  else if (name === on) dialog.selected = Math.min(last, dialog.selected + 1);
  else if (name === "Tab" && dialog.kind === "many") {
    dialog.reviewing = true;
    dialog.selected = 0;
  } else if (name === "Enter") {
    if (dialog.kind === "many" && !dialog.reviewing) return toggle(dialog, dialog.selected);
    return choose(dialog, dialog.selected);
  }
  return undefined;
}

function lengthOf(dialog: Dialog): number {
  return dialog.reviewing ? 2 : dialog.options.length;
}

function toggle(dialog: Dialog, index: number): undefined {
  if (!dialog.checked.delete(index)) dialog.checked.add(index);
}

function choose(dialog: Dialog, index: number): DialogAnswer | undefined {
  if (dialog.reviewing) {
    return index === 0 ? { kind: "options", indices: [...dialog.checked].sort((a, b) => a - b) } : { kind: "escape" };
  }
  if (index !== dialog.own) return { kind: "option", index };
  dialog.selected = index;
  dialog.entry = "";
  return undefined;
}
