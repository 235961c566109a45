import { PanewardError } from "@paneward/sdk";
import type { Repository } from "../runtime/ports.ts";
import { checkouts } from "./checkouts.ts";
import { type GitAnswer, gitFailure, tryGit } from "./git.ts";

/** The repository that a folder belongs to. */
export async function repository(folder: string): Promise<Repository> {
  const look = ["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-cdup"];
  const upwards = { GIT_CEILING_DIRECTORIES: process.env.GIT_CEILING_DIRECTORIES ?? "" };
  const answer = await tryGit(folder, look, { env: upwards });
  if (answer.code !== 0) throw outsideGit(folder, answer);
  const [bare, inside] = answer.out.split("\n");
  if (inside !== "true") throw withoutFiles(folder, bare === "true");

  const [top, branch, head] = await Promise.all([
    tryGit(folder, ["rev-parse", "--show-toplevel"], { env: upwards }),
    tryGit(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"], { env: upwards }),
    tryGit(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { env: upwards }),
  ]);
  if (top.code !== 0) throw gitFailure(folder, ["rev-parse"], top);
  const onBranch = answerOf(branch);
  return { root: await mainRoot(top.out.replace(/\n$/, ""), onBranch), branch: onBranch, head: answerOf(head) };
}

/** A task's worktree is removed with its task, so new tasks started inside it belong to the main checkout. */
async function mainRoot(top: string, branch: string | undefined): Promise<string> {
  if (!branch?.startsWith("paneward/")) return top;
  const [main] = await checkouts(top);
  return main?.folder ?? top;
}

function answerOf(answer: GitAnswer): string | undefined {
  return answer.code === 0 ? answer.out.trim() : undefined;
}

function outsideGit(folder: string, answer: GitAnswer): PanewardError {
  if (!answer.err.includes("not a git repository")) return gitFailure(folder, ["rev-parse"], answer);
  return new PanewardError("not_found", `${folder} is not in a git repository`, {
    hint: "run `git init` there, or change to a repository",
  });
}

function withoutFiles(folder: string, bare: boolean): PanewardError {
  const what = bare ? "is a bare repository: it has no files to work on" : "is inside a `.git` folder";
  return new PanewardError("wrong_state", `${folder} ${what}`, { hint: "change to a checkout of the repository" });
}
