const place = "paneward-viewer";

/** A worker belongs to no tab, and has none. */
interface TabStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** This tab's name, while it is open, so that a page that was loaded again continues what it reported. */
export function viewerOfTab(): string {
  const { sessionStorage } = globalThis as { readonly sessionStorage?: TabStorage };
  const viewer = sessionStorage?.getItem(place) ?? crypto.randomUUID();
  sessionStorage?.setItem(place, viewer);
  return viewer;
}
