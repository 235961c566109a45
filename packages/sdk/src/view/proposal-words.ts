import type { Proposal } from "../shapes.ts";

/** All that would be done: what is approved is what is shown. The tool has a place of its own. */
export function proposalText({ command, path, diff, more }: Proposal = {}): string {
  return [command, path, diff, more].filter((part) => part !== undefined && part !== "").join("\n");
}

/** The command or the file in a list, with what the tool is given besides; undefined when there is neither. */
export function proposalLine({ command, path, more }: Proposal = {}): string | undefined {
  const wanted = command ?? path;
  if (wanted === undefined || more === undefined) return wanted;
  return `${wanted} with ${more.replace(/\s+/g, " ").trim()}`;
}
