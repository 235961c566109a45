import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { runProgram } from "./child.ts";

/** What a person writes in their editor, beginning with a text. */
export async function editedText(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const folder = await mkdtemp(join(tmpdir(), "paneward-edit-"));
  const file = join(folder, "task.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The variable may hold options, as in "code --wait"; a shell reads it as git does.
    const code = await runProgram({ argv: ["sh", "-c", `${editor} "$@"`, editor, file], env });
    if (code !== 0)
      throw new PanewardError("bad_input", `the editor "${editor}" ended with code ${code}; no task was made`);
    return (await readFile(file, "utf8")).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
