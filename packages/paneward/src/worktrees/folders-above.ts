/** For `a/b/c`: `a/b`, `a`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/** For `a/b/c`: `a/b` and `c`. */
export function partsOf(path: string): { readonly above: string; readonly name: string } {
  const cut = path.lastIndexOf("/");
  return { above: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) };
}
