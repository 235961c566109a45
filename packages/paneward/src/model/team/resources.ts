/** A path as resources are compared: without `.`, doubled or trailing slashes. `.` is the team's root. */
export type Normal =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "invalid_path" }
  | { readonly kind: "path_traversal_denied" };

/** Reads a path or a resource. An absolute path inside the root means the same as the relative one. */
export function normalPath(text: string, root?: string): Normal {
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

/** Reads a resource: a path, where `/**` or `/*` at the end say what is meant anyway. Other patterns mean nothing here. */
export function normalResource(text: string, root?: string): Normal {
  const plain = text === "**" || text === "*" ? "." : text.replace(/\/\*{1,2}$/, "/");
  return /[*?[\]{}]/.test(plain) ? { kind: "invalid_path" } : normalPath(plain, root);
}

/** Is the path the resource, or below it? */
export function covers(resource: string, path: string): boolean {
  if (resource === ".") return !path.startsWith("/");
  return path === resource || path.startsWith(resource === "/" ? "/" : `${resource}/`);
}

/** Could somebody write the same file by both? */
export function overlap(one: string, other: string): boolean {
  return covers(one, other) || covers(other, one);
}

function normalRoot(root: string): string {
  return root
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}
