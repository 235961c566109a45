import { mkdir, stat } from "node:fs/promises";
import { TmuxError } from "../protocol/errors.ts";

/**
 * Makes the folder of a socket, for its owner only. One that exists keeps its mode, and is refused if another user could
 * put a socket of theirs there: a tmux client sends its whole environment to whatever listens.
 */
export async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) return;
  throw new TmuxError("subprocess_failed", sharedFolder(folder));
}

export function sharedFolder(folder: string): string {
  return `the folder ${folder} is shared with other users; name a socket in a folder of its own`;
}

/** The same for a POSIX shell; `$1` is the folder. Exits with 98 if it is shared, with 99 if it cannot be made. */
export const ownFolderScript = `umask 077; mkdir -p -- "$1" || exit 99
folder=$(ls -ldnL -- "$1") || exit 99
mode=\${folder%% *} owner=$(printf '%s\\n' "$folder" | { read -r _ _ uid _; echo "$uid"; })
case $mode in ?????w*|????????w*) exit 98 ;; esac
[ "$owner" = "$(id -u)" ] || exit 98`;
