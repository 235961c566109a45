import { PanewardError } from "@paneward/sdk";
import type { Outside } from "./outside.ts";

/** Other programs that get the terminal for a while. Each answers with the line for the log. */
export async function runOutside(
  { client, env, run }: Pick<Outside, "client" | "env" | "run">,
  kind: "attach" | "shell" | "edit",
  id: string,
  withTerminal: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string> {
  if (kind === "attach") {
    const { argv, started } = await client.attach({ id });
    // tmux refuses to attach inside itself while TMUX is set; another server's session is no danger.
    const { TMUX: _, TMUX_PANE: __, ...rest } = env;
    const code = await withTerminal(() => run({ argv, env: rest }));
    return `attach ${id}: ${started ? "started it, " : ""}${code === 0 ? "and back" : `tmux ended with code ${code}`}`;
  }
  const place = await client.path({ id });
  if (!place.exists) throw new PanewardError("wrong_state", `the worktree ${place.path} is not there yet; s makes it`);
  const argv = kind === "shell" ? [env.SHELL || "/bin/sh"] : editorOn(env, place.path);
  const code = await withTerminal(() => run({ argv, cwd: place.path, env: { ...env, ...place.env } }));
  return `${kind} ${id}: ended with code ${code}`;
}

// The variable may hold options, as in "code --wait"; a shell reads it as git does.
function editorOn(env: NodeJS.ProcessEnv, path: string): readonly string[] {
  const editor = env.VISUAL || env.EDITOR || "vi";
  return ["sh", "-c", `${editor} "$@"`, editor, path];
}
