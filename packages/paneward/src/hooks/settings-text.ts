import type { HookSettings } from "../agents/agent.ts";
import { isOurs } from "../agents/hook-script.ts";
import { added, childrenOf, cut } from "./json-text.ts";
import { plainly, type Tree, treeOf } from "./json-tree.ts";

type Shape = "object" | "array";

/** Settings that are JSON, but not of the shape in which the agent keeps its hooks. */
class NotSettings extends Error {}

/** The settings with these hooks behind those that are there. */
export function withHooks(text: string, hooks: HookSettings): string {
  if (text.trim() === "") return withHooks("{}\n", hooks);
  const root = shaped(treeOf(text), "object", "the file");
  const kept = member(root, "hooks");
  if (!kept) return added(text, root, hooks, "hooks");
  const events = Object.entries(hooks);
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
  const found = shaped(hooks, "object", '"hooks"').members.map(({ name, value }) => {
    const entries = shaped(value, "array", `"hooks.${name}"`).items.filter((entry) => handlers(entry).some(ours));
    return [name, entries.map(plainly)] as const;
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
function step(text: string, empties: Tree | undefined): string | undefined {
  const root = shaped(treeOf(text), "object", "the file");
  const hooks = shaped(member(root, "hooks") ?? { kind: "object", members: [], start: 0, end: 0 }, "object", '"hooks"');
  for (const [at, { name, value }] of hooks.members.entries()) {
    const list = shaped(value, "array", `"hooks.${name}"`);
    const found = list.items.findIndex((entry) => handlers(entry).some(ours));
    if (found < 0) continue;
    const entry = list.items[found];
    const others = entry && handlers(entry).some((handler) => !ours(handler));
    if (others) return withoutHandler(text, entry);
    if (list.items.length > 1 || (empties && member(empties, name))) return cut(text, list, found);
    if (childrenOf(hooks).length > 1 || empties) return cut(text, hooks, at);
    return cut(
      text,
      root,
      root.members.findIndex((one) => one.name === "hooks"),
    );
  }
  return undefined;
}

function withoutHandler(text: string, entry: Tree): string {
  const list = member(entry, "hooks");
  return list?.kind === "array" ? cut(text, list, list.items.findIndex(ours)) : text;
}

function handlers(entry: Tree): readonly Tree[] {
  const list = member(entry, "hooks");
  return list?.kind === "array" ? list.items : [];
}

function ours(handler: Tree): boolean {
  const command = member(handler, "command");
  return command?.kind === "plain" && typeof command.value === "string" && isOurs(command.value);
}

function member(tree: Tree, name: string): Tree | undefined {
  return tree.kind === "object" ? tree.members.find((one) => one.name === name)?.value : undefined;
}

function shaped<Kind extends Shape>(tree: Tree | undefined, kind: Kind, what: string): Extract<Tree, { kind: Kind }> {
  if (tree?.kind === kind) return tree as Extract<Tree, { kind: Kind }>;
  throw new NotSettings(`${what} is not ${kind === "object" ? "an object" : "a list"}`);
}
