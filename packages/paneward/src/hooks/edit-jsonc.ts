import { createScanner, type Node } from "jsonc-parser";

// The parser's own `modify` reformats neighbouring lines, and removes their comments together with an item.

/**
 * Adds a member or an item at the end of a container; the rest of the text stays unchanged. `json` is the value, `name`
 * its name in an object. It is formatted like its neighbours: on lines of its own, or on one line.
 */
export function withAdded(text: string, container: Node, json: unknown, name?: string): string {
  const style = styleOf(text, container);
  const piece = rendered(json, name, style);
  const last = container.children?.at(-1);
  if (!last) return intoEmpty(text, container, piece, style);
  const end = endOf(last);
  if (!style.lines) return replaceRange(text, end, end, `,${piece}`);
  // A comment after the last one stays with it.
  const at = endOfLine(text, end);
  return `${text.slice(0, end)},${text.slice(end, at)}${style.newline}${style.indent}${piece}${text.slice(at)}`;
}

/** Removes a member or an item; comments and blanks of the others stay. */
export function withRemoved(text: string, child: Node): string {
  const container = child.parent;
  const siblings = container?.children ?? [];
  const at = siblings.indexOf(child);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const end = endOf(child);
  if (before) return withoutLater(text, endOf(before), child);
  if (after) {
    const comma = skipBlanks(text, end);
    const rest = text.slice(comma + 1).match(/^\s*/)?.[0].length ?? 0;
    return replaceRange(text, child.offset, comma + 1 + rest, "");
  }
  if (!container) return text;
  const [from, to] = [container.offset + 1, endOf(container) - 1];
  const isAlone = `${text.slice(from, child.offset)}${text.slice(end, to)}`.trim() === "";
  return isAlone ? replaceRange(text, from, to, "") : replaceRange(text, child.offset, end, "");
}

interface Style {
  readonly lines: boolean;
  readonly newline: string;
  /** The indentation of the container, of its children, and one level. */
  readonly outer: string;
  readonly indent: string;
  readonly step: string;
}

function styleOf(text: string, container: Node): Style {
  const [first] = container.children ?? [];
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const step = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const outer = indentAt(text, container.offset);
  const lines = first
    ? text.slice(container.offset, first.offset).includes("\n")
    : text.trim().length < 3 || hasLines(text);
  const indent = first && lines ? indentAt(text, first.offset) : outer + step;
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

function intoEmpty(text: string, container: Node, piece: string, style: Style): string {
  const [from, to] = [container.offset + 1, endOf(container) - 1];
  const [open, close] = style.lines ? [style.newline + style.indent, style.newline + style.outer] : ["", ""];
  return replaceRange(text, from, to, `${text.slice(from, to).trimEnd()}${open}${piece}${close}`);
}

function withoutLater(text: string, previous: number, child: Node): string {
  const comma = skipBlanks(text, previous);
  const kept = text.slice(comma + 1, child.offset).trimEnd();
  const rest = text.slice(endOf(child));
  // A line comment must not swallow what follows the child.
  const comment = /\/\/[^\n]*$/.test(kept) && !/^[ \t]*\r?\n/.test(rest) ? "\n" : "";
  return `${text.slice(0, comma)}${kept}${comment}${rest}`;
}

// Blanks and comments on the same line, if nothing else follows there.
function endOfLine(text: string, at: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(at));
  return at + (rest?.[0].length ?? 0);
}

/** Where the blanks and comments that begin at `at` end. */
function skipBlanks(text: string, at: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getTokenOffset();
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function replaceRange(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}
