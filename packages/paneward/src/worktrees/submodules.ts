import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { pathExists } from "./checkouts.ts";
import { git, gitLine, pieces, tryGit } from "./git.ts";

/** Checks out the submodules of a new worktree. */
export async function checkOutSubmodules(task: TaskRecord): Promise<void> {
  if (!(await pathExists(join(task.worktree, ".gitmodules")))) return;
  const allowed = (await localUrlsAreAllowed(task)) ? ["-c", "protocol.file.allow=always"] : [];
  try {
    await git(task.worktree, [...allowed, "submodule", "--quiet", "update", "--init", "--recursive"]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PanewardError("wrong_state", `the submodules could not be checked out: ${why}`, {
      cause,
      hint: `\`git submodule update --init --recursive\` in ${task.root} shows whether they can be reached`,
    });
  }
}

/** Removing a worktree removes its submodules' repositories too, with every commit that was never pushed. */
export async function refuseUnpushedSubmodules(task: TaskRecord): Promise<void> {
  if (!(await pathExists(join(task.worktree, ".gitmodules")))) return;
  const each = `test -z "$(git rev-list --max-count=1 HEAD --not --remotes)" || printf '%s\\n' "$displaypath"`;
  const unpushed = (await git(task.worktree, ["submodule", "--quiet", "foreach", "--recursive", each])).trim();
  if (unpushed === "") return;
  throw new PanewardError("wrong_state", `submodules have unpushed commits: ${oneLine(unpushed)}`, {
    hint: `push them, or discard them with \`git submodule deinit --force PATH\` in ${task.worktree}`,
  });
}

// git refuses local submodules because a hostile repository could name any folder of the machine as one (CVE-2022-39253).
// Those that the main checkout has were allowed by the user.
async function localUrlsAreAllowed(task: TaskRecord): Promise<boolean> {
  const gitDir = await gitLine(task.root, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const wanted = await urls(task.worktree, ["--file", ".gitmodules"]);
  const known = await urls(task.root, ["--local"]);
  const local = [...wanted].filter(([name, url]) => isLocal(known.get(name) ?? url));
  const had = await Promise.all(local.map(([name]) => known.has(name) && pathExists(join(gitDir, "modules", name))));
  return local.length > 0 && had.every(Boolean);
}

async function urls(folder: string, source: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { out } = await tryGit(folder, ["config", ...source, "--null", "--get-regexp", "^submodule\\..*\\.url$"]);
  return new Map(
    pieces(out).map((piece) => {
      const [key = "", url = ""] = piece.split("\n");
      return [key.slice("submodule.".length, -".url".length), url] as const;
    }),
  );
}

function isLocal(url: string): boolean {
  return /^(\/|\.\.?\/|file:)/.test(url);
}

function oneLine(lines: string): string {
  return lines.split("\n").join(", ");
}
