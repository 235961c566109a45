const place = "paneward-viewer";

/** This tab's name, while it is open, so that a page that was loaded again continues what it reported. */
export function viewerOfTab(): string {
  const viewer = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, viewer);
  return viewer;
}
