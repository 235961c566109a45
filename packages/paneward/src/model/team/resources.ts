/** A path in the form that is compared: without `.`, double or trailing slashes. `.` is the team's root. */
export type NormalPath =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "invalid_path" }
  | { readonly kind: "path_traversal_denied" };

/** Normalizes a path. An absolute path inside the root equals the relative one. */
export function normalPath(text: string, root?: string): NormalPath {
  if (text.trim() === "" || /[\u0000-\u001f\u007f]/.test(text)) return { kind: "invalid_path" };
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return { kind: "path_traversal_denied" };
  const path = segments.join("/");
  if (!text.startsWith("/")) return { kind: "path", path: path || "." };
  const base = root === undefined ? undefined : normalRoot(root);
  if (base !== undefined && path === base) return { kind: "path", path: "." };
  if (base !== undefined && path.startsWith(`${base}/`)) return { kind: "path", path: path.slice(base.length + 1) };
  return { kind: "path", path: `/${path}` };
}

/** Normalizes a resource: a path that may end in `/**` or `/*`, which changes nothing. Other patterns are invalid. */
export function normalResource(text: string, root?: string): NormalPath {
  const plain = text === "**" || text === "*" ? "." : text.replace(/\/\*{1,2}$/, "/");
  return /[*?[\]{}]/.test(plain) ? { kind: "invalid_path" } : normalPath(plain, root);
}

/** Is the path the resource, or below it? */
export function covers(resource: string, path: string): boolean {
  if (resource === ".") return !path.startsWith("/");
  return path === resource || path.startsWith(resource === "/" ? "/" : `${resource}/`);
}

/** Could both include the same file? */
export function overlap(one: string, other: string): boolean {
  return covers(one, other) || covers(other, one);
}

function normalRoot(root: string): string {
  return root
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}
