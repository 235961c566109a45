import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { HttpContext } from "../env.ts";

// The page runs only our scripts, connects only to this daemon, and cannot be framed.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** The paths of the dashboard's files. Names in `assets` contain a hash, so these files never change. */
export const staticPaths = [
  ...["/", "/assets/:file", "/sw.js", "/manifest.webmanifest", "/icon.svg"],
  ...["/icon-192.png", "/icon-512.png", "/icon-maskable-512.png", "/icon-apple-180.png", "/badge-96.png"],
] as const;

/** Serves the dashboard's files. They contain no secrets; the page asks for a login. */
export function staticRoute(folder: string): (c: HttpContext) => Promise<Response> {
  const found = sharedFiles();
  return async (c) => {
    const path = c.req.path === "/" ? "/index.html" : c.req.path;
    const bytes = /^\/(assets\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/.test(path) ? await found(join(folder, path)) : undefined;
    if (!bytes) throw missing(path);
    c.header("content-security-policy", pagePolicy);
    c.header("referrer-policy", "no-referrer");
    c.header("cross-origin-opener-policy", "same-origin");
    c.header("cross-origin-resource-policy", "same-origin");
    c.header("content-type", types[extname(path)] ?? "application/octet-stream");
    c.header("cache-control", path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    return c.body(bytes);
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads files whose bytes all responses share: strangers may ask for them, and read the responses slowly or never. */
function sharedFiles(): (path: string) => Promise<Bytes | undefined> {
  const kept = new Map<string, { readonly version: string; readonly bytes: Promise<Bytes> }>();
  const read = async (path: string) => new Uint8Array(await readFile(path));
  return async (path) => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      // In a clone, the files may be built again.
      const version = `${mtimeMs} ${size} ${ino}`;
      const known = kept.get(path);
      if (known?.version === version) return await known.bytes;
      const bytes = read(path);
      if (kept.size >= maxKept) kept.clear();
      kept.set(path, { version, bytes });
      bytes.catch(() => kept.delete(path));
      return await bytes;
    } catch (error) {
      if (isNoFile.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    }
  };
}

const maxKept = 64;
/** What the system says of a name that no file has: a request may name anything. */
const isNoFile = new Set(["ENOENT", "ENAMETOOLONG", "ENOTDIR", "EISDIR"]);

function missing(path: string): PanewardError {
  const isPage = path === "/index.html";
  return new PanewardError("not_found", isPage ? "the dashboard is not built" : "the dashboard has no such file", {
    hint: isPage ? "in a clone, `npm run build` builds it" : "load the page again",
  });
}
