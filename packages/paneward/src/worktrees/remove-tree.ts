import { readdir, rmdir, unlink } from "node:fs/promises";
import { type HeldFolder, withFolderIn } from "./held-folders.ts";

/**
 * Removes a folder with everything in it, or a file. `rm` of Node looks at a path and then goes through
 * it: a program that puts a link there in between chooses what is removed.
 */
export async function removeTree(folder: HeldFolder, name: string): Promise<void> {
  const path = folder.at(name);
  const failed = await unlink(path).then(() => undefined, codeOf);
  if (failed === undefined || failed === "ENOENT") return;
  await withFolderIn(folder, name, removeContents);
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function removeContents(folder: HeldFolder): Promise<void> {
  // A program that is still running may add files meanwhile.
  for (let looks = 0; looks < 3; looks++) {
    const names = await readdir(folder.path, { encoding: "latin1" });
    if (names.length === 0) return;
    const left = await Promise.all(
      names.map((name) =>
        unlink(folder.at(name)).then(
          () => [],
          () => [name],
        ),
      ),
    );
    for (const name of left.flat()) await removeTree(folder, name);
  }
}

function codeOf(error: NodeJS.ErrnoException): string | undefined {
  return error.code;
}
