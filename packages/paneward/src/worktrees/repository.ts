import { isUtf8 } from "node:buffer";
import { stat } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { Repository } from "../runtime/ports.ts";
import { branchIn, checkouts } from "./checkouts.ts";
import { discover, type Found, refuseForeignOwner } from "./discover.ts";
import { type GitPlace, tryGit } from "./git.ts";
import type { Guards } from "./guard.ts";
import { refuseEndlessFiles } from "./plain-files.ts";
import { couldNotRun, type GitAnswer, plainEnvironment, requireGit, runGit } from "./run-git.ts";

/** The repository that a folder belongs to. */
export async function repository(guards: Guards, folder: string): Promise<Repository> {
  const missing = await stat(folder).then(
    () => undefined,
    (error: Error) => error,
  );
  if (missing) throw couldNotRun(folder, missing);
  const found = await discover(folder);
  if (found.kind !== "checkout") await requireGit();
  if (found.kind === "nothing") throw outsideGit(folder);
  if (found.kind !== "checkout") throw withoutFiles(folder, found.kind === "bare");
  await refuseForeignOwner(found, await safeFolders());

  const place = placeOf(guards, found);
  const named = await branchIn(place.gitDir);
  await refuseEndlessFiles(place, named === undefined ? [] : [`refs/heads/${named}`]);
  const [branch, head] = await Promise.all([
    tryGit(place, ["symbolic-ref", "--quiet", "HEAD"], { encoding: "latin1" }),
    tryGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
  ]);
  // Not `--short`: of a branch and a tag of one name it makes `heads/NAME`.
  const onBranch = readableName(folder, answerOf(branch)?.replace(/^refs\/heads\//, ""));
  const { folder: root, gitDir, commonDir } = await mainPlace(place, onBranch);
  return {
    root,
    top: place.folder,
    branch: onBranch,
    head: answerOf(head),
    gitDirs: { root: gitDir, common: commonDir },
  };
}

function placeOf(guards: Guards, { folder, gitDir, commonDir }: Found): GitPlace {
  return { guards, folder, gitDir, commonDir };
}

/** A task's worktree is removed with its task, so new tasks started inside it belong to the main checkout. */
async function mainPlace(place: GitPlace, branch: string | undefined): Promise<GitPlace> {
  if (!branch?.startsWith("paneward/")) return place;
  const [main] = await checkouts(place);
  return main ?? place;
}

/** Repositories of other users that the user has declared safe. */
async function safeFolders(): Promise<readonly string[]> {
  const env = { ...plainEnvironment(), ...ownConfiguration() };
  const { out } = await runGit(["config", "--global", "--null", "--get-all", "safe.directory"], { cwd: "/", env });
  return out.split("\0");
}

function ownConfiguration(): Record<string, string> {
  const { GIT_CONFIG_GLOBAL } = process.env;
  return GIT_CONFIG_GLOBAL === undefined ? {} : { GIT_CONFIG_GLOBAL };
}

function answerOf(answer: GitAnswer): string | undefined {
  return answer.code === 0 ? answer.out.trim() : undefined;
}

/** A task records the branch that it begins from, and a record holds no other bytes. */
function readableName(folder: string, branch: string | undefined): string | undefined {
  const bytes = Buffer.from(branch ?? "", "latin1");
  if (branch === undefined || isUtf8(bytes)) return branch && bytes.toString("utf8");
  throw new PanewardError(
    "wrong_state",
    `the name of the branch of ${folder} is not UTF-8: ${bytes.toString("utf8")}`,
    {
      hint: "`git branch -m NAME` gives it another one",
    },
  );
}

function outsideGit(folder: string): PanewardError {
  return new PanewardError("not_found", `${folder} is not in a git repository`, {
    hint: "run `git init` there, or change to a repository",
  });
}

function withoutFiles(folder: string, bare: boolean): PanewardError {
  const what = bare ? "is a bare repository: it has no files to work on" : "is inside a `.git` folder";
  return new PanewardError("wrong_state", `${folder} ${what}`, { hint: "change to a checkout of the repository" });
}
