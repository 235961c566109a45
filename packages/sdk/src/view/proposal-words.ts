import type { Proposal } from "../shapes.ts";
import { shownLine } from "../text/visible.ts";

/** All that would be done: what is approved is what is shown. The tool has a place of its own. */
export function proposalText({ command, path, diff, more }: Proposal = {}): string {
  return [command, path, diff, more].filter((part) => part !== undefined && part !== "").join("\n");
}

/**
 * The command or the file in a list, with what the tool is given besides; undefined when there is neither. On one line, with
 * everything that a terminal or a browser would not draw.
 */
export function proposalLine({ command, path, more }: Proposal = {}): string | undefined {
  const wanted = command ?? path;
  if (wanted === undefined || more === undefined) return wanted && shownLine(wanted);
  return shownLine(`${wanted} with ${more.replace(/\s+/g, " ").trim()}`);
}
