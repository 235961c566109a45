/** SQLite names the tree and the page below a heading of its own, at times on many lines. One line is enough. */
export function shortFault(text: string): string {
  const [before = "", fault] = text.split(/\*\*\* in database \w+ \*\*\*\s*/);
  return fault === undefined ? text : `${before}${fault.split("\n", 1)[0]}`;
}
