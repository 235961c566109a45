/** What to say to somebody whose Node is too old for the package; nothing if it is new enough. */
export function tooOld(running: string, engines: string): string | undefined {
  const wanted = engines.replace(/^>=/, "");
  const [have, need] = [running, wanted].map((version) => version.split(".").map(Number));
  for (const [place, least] of (need ?? []).entries()) {
    const own = have?.[place] ?? 0;
    if (own > least) return undefined;
    if (own < least)
      return `paneward: this is Node ${running}, and Paneward needs ${wanted} or newer\nhint: https://nodejs.org`;
  }
  return undefined;
}
