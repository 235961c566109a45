import { stat } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitPlace } from "./git.ts";

/** Refuses a checkout in which git would wait for ever: it opens these files without a look at what they are. */
export async function refuseEndlessFiles({ folder, gitDir, commonDir }: GitPlace): Promise<void> {
  const paths = [
    ...["HEAD", "index", "commondir"].map((name) => join(gitDir, name)),
    ...["config", "packed-refs", "info/exclude", "info/attributes"].map((name) => join(commonDir, name)),
    ...[".gitignore", ".gitattributes", ".gitmodules"].map((name) => join(folder, name)),
  ];
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined);
    if (!stats || stats.isFile() || stats.isDirectory()) continue;
    throw new PanewardError("wrong_state", `${path} is not a plain file; git would wait for it`, {
      hint: "look at it, and replace or remove it",
    });
  }
}
