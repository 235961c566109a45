import { type GitPlace, tryGit } from "./git.ts";

/** The environment for the author of a commit: the configured user, else Paneward. */
export async function identity(place: GitPlace): Promise<Readonly<Record<string, string>>> {
  // Without useConfigOnly, git invents an address from the host name on some machines and fails on others.
  const args = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  if ((await tryGit(place, args)).code === 0) return {};
  return {
    GIT_AUTHOR_NAME: "Paneward",
    GIT_AUTHOR_EMAIL: "paneward@localhost",
    GIT_COMMITTER_NAME: "Paneward",
    GIT_COMMITTER_EMAIL: "paneward@localhost",
  };
}
