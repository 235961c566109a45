/** Lines of ours in a file that others write, too, between two marks. Text is taken as bytes, one character for each. */
export interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface WithBlock {
  readonly text: string;
  /** What was added, exactly; removing it gives what was there before. */
  readonly added: string;
}

/** Undefined when the block is there as it should be. A changed one is replaced in its place. */
export function withBlock(text: string, block: Block): WithBlock | undefined {
  const wanted = linesOf(block).join("\n");
  const found = blockIn(text, block.name);
  if (found === undefined) return appended(text, wanted);
  const there = text.slice(found.from, found.to);
  if (there === wanted) return undefined;
  return { text: text.slice(0, found.from) + wanted + text.slice(found.to), added: wanted };
}

/** The text without the block, as `withBlock` found it; undefined without one. */
export function withoutBlock(text: string, name: string): string | undefined {
  const found = blockIn(text, name);
  if (found === undefined) return undefined;
  return text.slice(0, found.from) + text.slice(found.to).replace(/^\r?\n/, "");
}

export function hasBlock(text: string, name: string): boolean {
  return text.includes(beginOf(name)) || text.includes(endOf(name));
}

function appended(text: string, wanted: string): WithBlock {
  const added = `${text === "" || text.endsWith("\n") ? "" : "\n"}${wanted}\n`;
  return { text: text + added, added };
}

/** From the first mark to the end of the second, which must follow it, each once. */
function blockIn(text: string, name: string): { readonly from: number; readonly to: number } | undefined {
  const [begin, end] = [beginOf(name), endOf(name)];
  const from = text.indexOf(begin);
  const at = text.indexOf(end, from);
  if (from < 0 || at < 0 || text.includes(begin, from + 1) || text.includes(end, at + 1)) return undefined;
  return { from, to: at + end.length };
}

function linesOf({ name, lines }: Block): readonly string[] {
  return [beginOf(name), ...lines, endOf(name)];
}

const beginOf = (name: string) => `# >>> ${name} >>>`;
const endOf = (name: string) => `# <<< ${name} <<<`;
