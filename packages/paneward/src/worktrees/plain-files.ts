import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitPlace } from "./git.ts";

/** Refuses a checkout in which git would wait for ever: it opens these files without a look at what they are. */
export async function refuseEndlessFiles(
  { folder, gitDir, commonDir }: GitPlace,
  refs: readonly string[],
): Promise<void> {
  const paths = [
    ...["HEAD", "index", "commondir"].map((name) => join(gitDir, name)),
    ...["config", "packed-refs", "shallow", "info/exclude", "info/attributes"].map((name) => join(commonDir, name)),
    ...["alternates", "commit-graph"].map((name) => join(commonDir, "objects", "info", name)),
    ...["info/sparse-checkout", "logs/HEAD"].map((name) => join(gitDir, name)),
    ...refs.map((ref) => join(commonDir, ref)),
    ...[".gitignore", ".gitattributes", ".gitmodules"].map((name) => join(folder, name)),
  ];
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  const endless = paths.find((_, index) => isEndless(found[index]));
  if (endless === undefined) return;
  throw new PanewardError("wrong_state", `${endless} is not a plain file; git would wait for it`, {
    hint: "look at it, and replace or remove it",
  });
}

function isEndless(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
