/** The long versions run with PANEWARD_SOAK=1. */
export function amount(short: number, full: number): number {
  return process.env.PANEWARD_SOAK === "1" ? full : short;
}
