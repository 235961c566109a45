/** The time of day, with the date if it was another day. */
export function clockOf(at: number, now = Date.now()): string {
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return now - at < 43_200_000 ? time : `${new Date(at).toLocaleDateString()} ${time}`;
}
