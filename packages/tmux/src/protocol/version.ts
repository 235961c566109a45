import { TmuxError } from "./errors.ts";

/** `3.3a` is major 3, minor 3. */
export interface TmuxVersion {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

const oldestSupported = "3.2";

/** Parses the output of `tmux -V`: `tmux 3.3a`, `tmux next-3.5`, `tmux master`. */
export function parseVersion(printed: string): TmuxVersion {
  const text = printed.trim().replace(/^tmux\s+/, "");
  // A development build has no number and is newer than every release.
  if (/^(master|openbsd)/.test(text)) return { text, major: 99, minor: 0 };
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || minor === undefined) {
    throw new TmuxError("version_unsupported", `cannot read a tmux version from ${JSON.stringify(printed.trim())}`);
  }
  return { text, major: Number(major), minor: Number(minor) };
}

export function requireSupported(version: TmuxVersion): TmuxVersion {
  const oldest = parseVersion(oldestSupported);
  if (version.major > oldest.major || (version.major === oldest.major && version.minor >= oldest.minor)) return version;
  throw new TmuxError(
    "version_unsupported",
    `tmux ${version.text} is too old: Paneward needs ${oldestSupported} or newer. Install a newer tmux and try again.`,
  );
}
