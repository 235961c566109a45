import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface QuickAgent {
  /** Runs `work` while each of its git processes finds links to copies in these places. */
  readonly during: <Result>(places: readonly string[], work: () => Promise<Result>) => Promise<Result>;
  /** The calls of git that changed something behind such a link. */
  readonly wrote: () => readonly string[];
  /** The places in which git found a link. */
  readonly flipped: () => readonly string[];
}

/**
 * An agent that is always quick enough: its links appear after every look that Paneward takes before it starts git, and are
 * gone when git ends.
 */
export function quickAgent(folder: string): QuickAgent {
  const bin = join(folder, "quick-bin");
  const log = join(folder, "quick-wrote");
  const flips = join(folder, "quick-flips");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), script(real));
  chmodSync(join(bin, "git"), 0o755);
  const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []);
  return {
    wrote: () => linesOf(log),
    flipped: () => [...new Set(linesOf(flips))],
    during: async (places, work) => {
      const before = process.env.PATH ?? "";
      const own = {
        QUICK_PLACES: places.join(" "),
        QUICK_COPY: join(folder, "quick-copy"),
        QUICK_LOG: log,
        QUICK_FLIPS: flips,
      };
      Object.assign(process.env, own, { PATH: `${bin}:${before}` });
      try {
        return await work();
      } finally {
        process.env.PATH = before;
        for (const name of Object.keys(own)) delete process.env[name];
      }
    },
  };
}

// Of two git processes at once only the first gets the links. One that is told to end still takes them away.
function script(git: string): string {
  return `#!/bin/sh
mkdir "$QUICK_COPY" 2>/dev/null || exec ${git} "$@"
trap '' TERM
number=0
for place in $QUICK_PLACES; do
  number=$((number + 1))
  copy="$QUICK_COPY/$number"
  if [ -e "$place" ]; then
    mv "$place" "$place.away"
    cp -a "$place.away" "$copy"
  fi
  if [ -d "\${place%/*}" ]; then
    ln -s "$copy" "$place"
    echo "$place" >> "$QUICK_FLIPS"
  fi
done
${git} "$@"
code=$?
number=0
for place in $QUICK_PLACES; do
  number=$((number + 1))
  copy="$QUICK_COPY/$number"
  [ -L "$place" ] && rm "$place"
  if [ -e "$place.away" ]; then
    diff -r "$place.away" "$copy" > /dev/null || echo "$place $*" >> "$QUICK_LOG"
    mv "$place.away" "$place"
  elif [ -e "$copy" ]; then
    echo "$place $*" >> "$QUICK_LOG"
  fi
done
rm -rf "$QUICK_COPY"
exit $code
`;
}
