import { behindBlanks, type Tree } from "./json-tree.ts";

type Container = Extract<Tree, { readonly kind: "object" | "array" }>;

/**
 * The text with one more member or item at the container's end; everything else stays as it is written. `json` is what
 * is added, `name` its name in an object. It is written as its neighbours are: on lines of its own, or in one line.
 */
export function added(text: string, container: Container, json: unknown, name?: string): string {
  const style = styleOf(text, container);
  const piece = rendered(json, name, style);
  const last = childrenOf(container).at(-1);
  if (!last) return intoEmpty(text, container, piece, style);
  if (!style.lines) return spliced(text, last.end, last.end, `,${piece}`);
  // A comment behind the last one stays with it.
  const at = endOfLine(text, last.end);
  return `${text.slice(0, last.end)},${text.slice(last.end, at)}${style.newline}${style.indent}${piece}${text.slice(at)}`;
}

/** The text without one member or item; comments and blanks of the others stay. */
export function cut(text: string, container: Container, index: number): string {
  const children = childrenOf(container);
  const [before, child, after] = [children[index - 1], children[index], children[index + 1]];
  if (!child) return text;
  if (before) return cutLater(text, before.end, child);
  if (after) {
    const comma = behindBlanks(text, child.end);
    const rest = text.slice(comma + 1).match(/^\s*/)?.[0].length ?? 0;
    return spliced(text, child.start, comma + 1 + rest, "");
  }
  const inside = text.slice(container.start + 1, child.start) + text.slice(child.end, container.end - 1);
  return inside.trim() === ""
    ? spliced(text, container.start + 1, container.end - 1, "")
    : spliced(text, child.start, child.end, "");
}

export function childrenOf(container: Container): readonly { readonly start: number; readonly end: number }[] {
  return container.kind === "object" ? container.members : container.items;
}

interface Style {
  readonly lines: boolean;
  readonly newline: string;
  /** Of the container's line, of its children, and one step. */
  readonly outer: string;
  readonly indent: string;
  readonly step: string;
}

function styleOf(text: string, container: Container): Style {
  const [first] = childrenOf(container);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const step = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const outer = indentAt(text, container.start);
  const lines = first
    ? text.slice(container.start, first.start).includes("\n")
    : text.trim().length < 3 || hasLines(text);
  const indent = first && lines ? indentAt(text, first.start) : outer + step;
  return { lines, newline, outer, indent, step };
}

function hasLines(text: string): boolean {
  return text.trim().includes("\n");
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^\ufeff?([ \t]*)/.exec(line)?.[1] ?? "";
}

function rendered(json: unknown, name: string | undefined, { lines, newline, indent, step }: Style): string {
  const text = lines ? JSON.stringify(json, undefined, step).replaceAll("\n", newline + indent) : JSON.stringify(json);
  return name === undefined ? text : `${JSON.stringify(name)}:${lines ? " " : ""}${text}`;
}

function intoEmpty(text: string, { start, end }: Container, piece: string, style: Style): string {
  const inside = text.slice(start + 1, end - 1).trimEnd();
  const [open, close] = style.lines ? [style.newline + style.indent, style.newline + style.outer] : ["", ""];
  return spliced(text, start + 1, end - 1, `${inside}${open}${piece}${close}`);
}

function cutLater(text: string, previous: number, child: { readonly start: number; readonly end: number }): string {
  const comma = behindBlanks(text, previous);
  const between = text.slice(comma + 1, child.start);
  const kept = between.trimEnd();
  // A comment to the end of the line must not swallow what stands behind the child.
  const comment = /\/\/[^\n]*$/.test(kept) && !/^[ \t]*\r?\n/.test(text.slice(child.end)) ? "\n" : "";
  return `${text.slice(0, comma)}${kept}${comment}${text.slice(child.end)}`;
}

// Blanks and comments on the same line, if nothing else follows there.
function endOfLine(text: string, at: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(at));
  return at + (rest?.[0].length ?? 0);
}

function spliced(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}
