import { tryGit } from "./git.ts";

/** Who signs a commit: the user as configured, else Paneward, through the environment. */
export async function identity(folder: string): Promise<Readonly<Record<string, string>>> {
  // Without useConfigOnly git makes up an address from the host's name on some machines and refuses on others.
  const asked = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  if ((await tryGit(folder, asked)).code === 0) return {};
  return {
    GIT_AUTHOR_NAME: "Paneward",
    GIT_AUTHOR_EMAIL: "paneward@localhost",
    GIT_COMMITTER_NAME: "Paneward",
    GIT_COMMITTER_EMAIL: "paneward@localhost",
  };
}
