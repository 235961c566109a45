/** How long ago, in as few letters as possible: 5s, 12m, 3h, 2d. */
export function ageOf(since: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** The time of day, with the date when it was another day. */
export function clockOf(at: number, now = Date.now()): string {
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return now - at < 43_200_000 ? time : `${new Date(at).toLocaleDateString()} ${time}`;
}
