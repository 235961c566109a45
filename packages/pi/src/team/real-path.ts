import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The real target of a write to this path: follows links, including dangling ones, and allows missing folders.
 * Undefined for a circular link.
 */
export function realTarget(cwd: string, path: string, home: string): string | undefined {
  const named = path.startsWith("~/") ? join(home, path.slice(2)) : path.replace(/^@/, "");
  let at = resolve(cwd, named);
  let rest = "";
  for (let steps = 0; steps < maxSteps; steps++) {
    const real = existing(at);
    if (real !== undefined) return rest === "" ? real : join(real, rest);
    const link = linkAt(at);
    if (link !== undefined) at = resolve(dirname(at), link);
    else {
      rest =
        rest === ""
          ? at.slice(dirname(at).length).replace(/^\//, "")
          : join(at.slice(dirname(at).length), rest).replace(/^\//, "");
      at = dirname(at);
    }
  }
  return undefined;
}

const maxSteps = 200;

function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
