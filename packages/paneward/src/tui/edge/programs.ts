import { PanewardError } from "@paneward/sdk";
import type { TuiContext } from "./context.ts";

/** Runs another program on the terminal and returns a line for the log. */
export async function runProgramFor(
  { client, env, run }: Pick<TuiContext, "client" | "env" | "run">,
  kind: "attach" | "shell" | "edit",
  id: string,
  withTerminal: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string> {
  const onTerminal = (program: Parameters<TuiContext["run"]>[0]) => withTerminal(() => runOrThrow(run, program));
  if (kind === "attach") {
    const { argv, started } = await client.attach({ id });
    const inside = switchInside(argv, env.TMUX);
    if (inside) {
      const code = await onTerminal({ argv: inside, env });
      return `attach ${id}: ${code === 0 ? "shown in your tmux; C-b L returns" : `tmux exited with code ${code}`}`;
    }
    // tmux refuses to nest while TMUX is set; this session is on another server, so nesting is safe.
    const { TMUX: _, TMUX_PANE: __, ...rest } = env;
    const code = await onTerminal({ argv, env: rest });
    return `attach ${id}: ${started ? "started, " : ""}${code === 0 ? "detached" : `tmux exited with code ${code}`}`;
  }
  const place = await client.path({ id });
  if (!place.exists)
    throw new PanewardError("wrong_state", `the worktree ${place.path} does not exist yet; s creates it`);
  const argv = kind === "shell" ? [env.SHELL || "/bin/sh"] : editorOn(env, place.path);
  const code = await onTerminal({ argv, cwd: place.path, env: { ...env, ...place.env } });
  return `${kind} ${id}: exited with code ${code}`;
}

async function runOrThrow(run: TuiContext["run"], program: Parameters<TuiContext["run"]>[0]): Promise<number> {
  try {
    return await run(program);
  } catch (cause) {
    const message = `${program.argv[0]} could not be started: ${(cause as Error).message}`;
    throw new PanewardError("unavailable", message, { cause });
  }
}

/** If the terminal is in the tmux server that this interface runs in, switch the existing client instead of nesting. */
export function switchInside(argv: readonly string[], tmux: string | undefined): readonly string[] | undefined {
  const socket = argv[argv.indexOf("-S") + 1];
  if (argv[0] !== "tmux" || socket === undefined || tmux?.split(",")[0] !== socket) return undefined;
  return argv.map((word) => (word === "attach-session" ? "switch-client" : word));
}

// The variable may hold options, as in "code --wait"; like git, let a shell parse it.
function editorOn(env: NodeJS.ProcessEnv, path: string): readonly string[] {
  const editor = env.VISUAL || env.EDITOR || "vi";
  return ["sh", "-c", `${editor} "$@"`, editor, path];
}
