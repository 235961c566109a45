import { PanewardError } from "@paneward/sdk";
import type { Outside } from "./outside.ts";

/** Other programs that get the terminal for a while. Each answers with the line for the log. */
export async function runOutside(
  { client, env, run }: Pick<Outside, "client" | "env" | "run">,
  kind: "attach" | "shell" | "edit",
  id: string,
  withTerminal: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string> {
  const given = (program: Parameters<Outside["run"]>[0]) => withTerminal(() => ran(run, program));
  if (kind === "attach") {
    const { argv, started } = await client.attach({ id });
    const inside = switchInside(argv, env.TMUX);
    if (inside) {
      const code = await given({ argv: inside, env });
      return `attach ${id}: ${code === 0 ? "your tmux shows it; C-b L comes back" : `tmux ended with code ${code}`}`;
    }
    // tmux refuses to attach inside itself while TMUX is set; another server's session is no danger.
    const { TMUX: _, TMUX_PANE: __, ...rest } = env;
    const code = await given({ argv, env: rest });
    return `attach ${id}: ${started ? "started it, " : ""}${code === 0 ? "and back" : `tmux ended with code ${code}`}`;
  }
  const place = await client.path({ id });
  if (!place.exists) throw new PanewardError("wrong_state", `the worktree ${place.path} is not there yet; s makes it`);
  const argv = kind === "shell" ? [env.SHELL || "/bin/sh"] : editorOn(env, place.path);
  const code = await given({ argv, cwd: place.path, env: { ...env, ...place.env } });
  return `${kind} ${id}: ended with code ${code}`;
}

async function ran(run: Outside["run"], program: Parameters<Outside["run"]>[0]): Promise<number> {
  try {
    return await run(program);
  } catch (cause) {
    const message = `${program.argv[0]} could not be run: ${(cause as Error).message}`;
    throw new PanewardError("unavailable", message, { cause });
  }
}

/** What runs in the same tmux server as this interface is shown by the client that the person has already. */
export function switchInside(argv: readonly string[], tmux: string | undefined): readonly string[] | undefined {
  const socket = argv[argv.indexOf("-S") + 1];
  if (argv[0] !== "tmux" || socket === undefined || tmux?.split(",")[0] !== socket) return undefined;
  return argv.map((word) => (word === "attach-session" ? "switch-client" : word));
}

// The variable may hold options, as in "code --wait"; a shell reads it as git does.
function editorOn(env: NodeJS.ProcessEnv, path: string): readonly string[] {
  const editor = env.VISUAL || env.EDITOR || "vi";
  return ["sh", "-c", `${editor} "$@"`, editor, path];
}
