import { join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import type { GitPlace } from "./git.ts";
import { plainEnvironment, runGit } from "./run-git.ts";

/** Removes what the user's git has configured for a branch, such as its upstream; the guard's git does not see it. */
export async function forgetBranchSettings({ commonDir }: GitPlace, branch: string): Promise<void> {
  const path = join(commonDir, "config");
  const text = await readForeign(path, { maxBytes: 1024 * 1024 }).catch(() => undefined);
  if (!text?.includes(`"${branch}"`)) return;
  await runGit(["config", "--file", path, "--remove-section", `branch.${branch}`], {
    cwd: "/",
    env: plainEnvironment(),
  });
}
