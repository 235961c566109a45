/** Filled in by build.ts: what this build consists of. */
declare const BUILD: { readonly version: string; readonly files: readonly string[] };

const prefix = "paneward-shell-";
const ours = `${prefix}${BUILD.version}`;

/** The dashboard's own files: it opens at once on a slow line, and also while the daemon is unreachable. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(ours);
  await cache.addAll(BUILD.files);
}

/** A page that is open may still load parts of the build before this one. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  const shells = names.filter((name) => name.startsWith(prefix) && name !== ours);
  const others = names.filter((name) => !name.startsWith(prefix));
  await Promise.all([...shells.slice(0, -1), ...others].map((name) => caches.delete(name)));
}

/** Undefined for everything else: responses of the API are not cached. */
export function answerFromCache(request: Request): Promise<Response> | undefined {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return undefined;
  if (BUILD.files.includes(pathname)) return kept(pathname, ours, request);
  return pathname.startsWith("/assets/") ? kept(pathname, undefined, request) : undefined;
}

async function kept(pathname: string, cacheName: string | undefined, request: Request): Promise<Response> {
  const found = await caches.match(pathname, cacheName === undefined ? {} : { cacheName });
  return found ?? fetch(request);
}
