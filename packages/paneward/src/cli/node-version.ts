/** The error message if Node is too old for the package; undefined if it is new enough. */
export function nodeVersionError(running: string, engines: string): string | undefined {
  const wanted = engines.replace(/^>=/, "");
  const [have, need] = [running, wanted].map((version) => version.split(".").map(Number));
  for (const [place, minimum] of (need ?? []).entries()) {
    const actual = have?.[place] ?? 0;
    if (actual > minimum) return undefined;
    if (actual < minimum)
      return `paneward: this is Node ${running}, and Paneward needs ${wanted} or newer\nhint: install a newer one from https://nodejs.org or with your version manager, and try again`;
  }
  return undefined;
}
