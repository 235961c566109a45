/** The page's icon, with the number of waiting rows. */
export function badgeIcon(count: number): string {
  if (count === 0) return "/icon.svg";
  const shown = count > 9 ? "9+" : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#c2410c"/><text x="32" y="47" font-family="sans-serif" font-size="42" font-weight="700" fill="#fff" text-anchor="middle">${shown}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
