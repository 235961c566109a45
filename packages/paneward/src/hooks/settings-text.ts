import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { HookSettings } from "../agents/agent.ts";
import { isOurs } from "../agents/hook-script.ts";
import { added, cut } from "./json-text.ts";
import { plainly, treeOf } from "./json-tree.ts";

/** Settings that are JSON, but not of the shape in which the agent keeps its hooks. */
class NotSettings extends Error {}

/** The settings with these hooks behind those that are there. */
export function withHooks(text: string, hooks: HookSettings): string {
  if (text.trim() === "") return withHooks("{}\n", hooks);
  const root = shaped(treeOf(text), "object", "the file");
  const kept = member(root, "hooks");
  if (!kept) return added(text, root, hooks, "hooks");
  // Events that are there come first, in their order: then the same text results from what `oursIn` reads of it.
  const names = listsIn(kept).map(({ name }) => name);
  const place = ([event]: readonly [string, unknown]) => (names.includes(event) ? names.indexOf(event) : names.length);
  const events = Object.entries(hooks).toSorted((one, other) => place(one) - place(other));
  return events.reduce((written, [event, entries]) => withEvent(written, event, entries), text);
}

/**
 * The settings without our hooks. `before` is the text before they came, when it is known: an empty list or object that
 * was there then is left there, and if nothing else has changed since, it is that text again.
 */
export function withoutHooks(text: string, before?: string): string {
  if (text.trim() === "") return text;
  const ours = oursIn(text);
  if (Object.keys(ours).length === 0) return text;
  if (before !== undefined && isUndone(text, before, ours)) return before;
  const empties = before === undefined || before.trim() === "" ? undefined : member(treeOf(before), "hooks");
  let left = text;
  for (let next = step(left, empties); next !== undefined; next = step(left, empties)) left = next;
  return left;
}

/** Our hooks as they stand in the settings, by event. */
export function oursIn(text: string): HookSettings {
  if (text.trim() === "") return {};
  const hooks = member(shaped(treeOf(text), "object", "the file"), "hooks");
  if (!hooks) return {};
  const found = listsIn(hooks).map(({ name, entries }) => {
    const kept = entries.filter((entry) => handlers(entry).some(ours));
    return [name, kept.map(plainly)] as const;
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
  const hooks = shaped(member(treeOf(text), "hooks"), "object", '"hooks"');
  const there = member(hooks, event);
  if (!there) return added(text, hooks, entries, event);
  const list = shaped(there, "array", `"hooks.${event}"`);
  const [entry, ...more] = entries;
  return entry === undefined ? text : withEvent(added(text, list, entry), event, more);
}

/** The text with one thing of ours less; undefined when nothing of ours is left. */
function step(text: string, empties: Node | undefined): string | undefined {
  const root = shaped(treeOf(text), "object", "the file");
  const hooks = member(root, "hooks");
  const lists = hooks ? listsIn(hooks) : [];
  for (const { name, event, entries } of lists) {
    const entry = entries.find((one) => handlers(one).some(ours));
    if (!entry) continue;
    if (handlers(entry).some((handler) => !ours(handler))) return withoutHandler(text, entry);
    if (entries.length > 1 || (empties && member(empties, name))) return cut(text, entry);
    if (lists.length > 1 || empties) return cut(text, event);
    return hooks?.parent && cut(text, hooks.parent);
  }
  return undefined;
}

function withoutHandler(text: string, entry: Node): string {
  const handler = handlers(entry).find(ours);
  return handler ? cut(text, handler) : text;
}

/** Each event under "hooks", with the list that it names. */
function listsIn(hooks: Node) {
  return (shaped(hooks, "object", '"hooks"').children ?? []).map((event) => {
    const name: string = event.children?.[0]?.value;
    return { name, event, entries: shaped(event.children?.[1], "array", `"hooks.${name}"`).children ?? [] };
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

function shaped(tree: Node | undefined, type: "object" | "array", what: string): Node {
  if (tree?.type === type) return tree;
  throw new NotSettings(`${what} is not ${type === "object" ? "an object" : "a list"}`);
}
