import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { runProgram } from "./child.ts";

/** Opens the user's editor with a text and returns what was saved. */
export async function editedText(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const folder = await mkdtemp(join(tmpdir(), "paneward-edit-"));
  const file = join(folder, "task.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The variable may hold options, as in "code --wait"; like git, let a shell parse it.
    const code = await runProgram({ argv: ["sh", "-c", `${editor} "$@"`, editor, file], env });
    if (code !== 0)
      throw new PanewardError("bad_input", `the editor "${editor}" exited with code ${code}; nothing was changed`, {
        hint: "VISUAL or EDITOR names another one",
      });
    return (await readFile(file, "utf8")).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
