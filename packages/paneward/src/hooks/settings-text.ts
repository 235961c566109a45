import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { HookSettings } from "../agents/agent.ts";
import { isOurs } from "../agents/hook-script.ts";
import { withAdded, withRemoved } from "./edit-jsonc.ts";
import { parseJsonc, valueFrom } from "./parse-jsonc.ts";

/** The settings are JSON, but not in the shape that the agent uses for hooks. */
class SettingsError extends Error {}

/** Adds these hooks after the existing ones. */
export function withHooks(text: string, hooks: HookSettings): string {
  if (text.trim() === "") return withHooks("{}\n", hooks);
  const root = requireType(parseJsonc(text), "object", "the file");
  const kept = member(root, "hooks");
  if (!kept) return withAdded(text, root, hooks, "hooks");
  // Existing events come first, in their order, so that adding what `oursIn` returns gives the same text.
  const names = listsIn(kept).map(({ name }) => name);
  const place = ([event]: readonly [string, unknown]) => (names.includes(event) ? names.indexOf(event) : names.length);
  const events = Object.entries(hooks).toSorted((one, other) => place(one) - place(other));
  return events.reduce((written, [event, entries]) => withEvent(written, event, entries), text);
}

/**
 * Removes our hooks. `before` is the text before they were added, if known: empty lists and objects that it has are kept,
 * and if nothing else has changed since, the result is that text.
 */
export function withoutHooks(text: string, before?: string): string {
  if (text.trim() === "") return text;
  const isOurHandler = oursIn(text);
  if (Object.keys(isOurHandler).length === 0) return text;
  if (before !== undefined && isUndone(text, before, isOurHandler)) return before;
  const empties = before === undefined || before.trim() === "" ? undefined : member(parseJsonc(before), "hooks");
  let left = text;
  for (let next = removeOne(left, empties); next !== undefined; next = removeOne(left, empties)) left = next;
  return left;
}

/** Our hooks in the settings, by event. */
export function oursIn(text: string): HookSettings {
  if (text.trim() === "") return {};
  const hooks = member(requireType(parseJsonc(text), "object", "the file"), "hooks");
  if (!hooks) return {};
  const found = listsIn(hooks).map(({ name, entries }) => {
    const kept = entries.filter((entry) => handlers(entry).some(ours));
    return [name, kept.map(valueFrom)] as const;
  });
  return Object.fromEntries(found.filter(([, entries]) => entries.length > 0)) as HookSettings;
}

function isUndone(text: string, before: string, ours: HookSettings): boolean {
  try {
    return withHooks(before, ours) === text;
  } catch {
    return false;
  }
}

function withEvent(text: string, event: string, entries: HookSettings[string]): string {
  const hooks = requireType(member(parseJsonc(text), "hooks"), "object", '"hooks"');
  const there = member(hooks, event);
  if (!there) return withAdded(text, hooks, entries, event);
  const list = requireType(there, "array", `"hooks.${event}"`);
  const [entry, ...more] = entries;
  return entry === undefined ? text : withEvent(withAdded(text, list, entry), event, more);
}

/** Removes one of our hooks; undefined when none is left. */
function removeOne(text: string, empties: Node | undefined): string | undefined {
  const root = requireType(parseJsonc(text), "object", "the file");
  const hooks = member(root, "hooks");
  const lists = hooks ? listsIn(hooks) : [];
  for (const { name, event, entries } of lists) {
    const entry = entries.find((one) => handlers(one).some(ours));
    if (!entry) continue;
    if (handlers(entry).some((handler) => !ours(handler))) return withoutHandler(text, entry);
    if (entries.length > 1 || (empties && member(empties, name))) return withRemoved(text, entry);
    if (lists.length > 1 || empties) return withRemoved(text, event);
    return hooks?.parent && withRemoved(text, hooks.parent);
  }
  return undefined;
}

function withoutHandler(text: string, entry: Node): string {
  const handler = handlers(entry).find(ours);
  return handler ? withRemoved(text, handler) : text;
}

/** Each event under "hooks", with the list that it names. */
function listsIn(hooks: Node) {
  return (requireType(hooks, "object", '"hooks"').children ?? []).map((event) => {
    const name: string = event.children?.[0]?.value;
    return { name, event, entries: requireType(event.children?.[1], "array", `"hooks.${name}"`).children ?? [] };
  });
}

function handlers(entry: Node): readonly Node[] {
  const list = member(entry, "hooks");
  return (list?.type === "array" && list.children) || [];
}

function ours(handler: Node): boolean {
  const command: unknown = member(handler, "command")?.value;
  return typeof command === "string" && isOurs(command);
}

function member(tree: Node, name: string): Node | undefined {
  return findNodeAtLocation(tree, [name]);
}

function requireType(tree: Node | undefined, type: "object" | "array", what: string): Node {
  if (tree?.type === type) return tree;
  throw new SettingsError(`${what} is not ${type === "object" ? "an object" : "a list"}`);
}
