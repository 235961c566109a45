import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import { withFileLock } from "./file-lock.ts";
import type { GitPlace } from "./git.ts";
import { withFolder } from "./held-folders.ts";
import { plainEnvironment, runGit } from "./run-git.ts";

/** Removes what the user's git has configured for a branch, such as its upstream; the guard's git does not see it. */
export async function forgetBranchSettings({ commonDir, guards }: GitPlace, branch: string): Promise<void> {
  const path = join(commonDir, "config");
  const text = await readForeign(path, { maxBytes }).catch(() => undefined);
  if (!text?.includes(`"${branch}"`)) return;
  await withFolder(commonDir, "", (top) =>
    withFileLock(top, { guards, commonDir, below: "", name: "config" }, async ({ put }) => {
      const copy = join(guards.folder, `config-${process.pid}`);
      await writeFile(copy, (await readForeign(top.at("config"), { maxBytes })) ?? "", { mode: 0o600 });
      const args = ["config", "--file", copy, "--remove-section", `branch.${branch}`];
      const { code } = await runGit(args, { cwd: "/", env: plainEnvironment() });
      if (code === 0) await put(await readFile(copy));
      await rm(copy, { force: true });
    }),
  );
}

const maxBytes = 1024 * 1024;
