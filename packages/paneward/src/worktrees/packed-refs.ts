import { readForeign } from "@paneward/sdk/node/files";
import { withFileLock } from "./file-lock.ts";
import { withFolder } from "./held-folders.ts";
import type { ObjectPlaces } from "./objects.ts";
import { rawPath } from "./raw-paths.ts";

/** Takes a ref out of the file into which git packs many. */
export async function unpackRef({ commonDir, guards }: ObjectPlaces, ref: string): Promise<void> {
  await withFolder(commonDir, "", async (top) => {
    const read = async () => (await readForeign(top.at(name), { maxBytes }))?.toString("latin1") ?? "";
    if (!(await read()).includes(` ${rawPath(ref)}\n`)) return;
    await withFileLock(top, { guards, commonDir, below: "", name }, async ({ put }) =>
      put(Buffer.from(withoutRef(await read(), rawPath(ref)), "latin1")),
    );
  });
}

const name = "packed-refs";
const maxBytes = 256 * 1024 * 1024;

/** Below the line of a tag may be one with the commit that the tag names. */
export function withoutRef(packed: string, ref: string): string {
  const lines = packed.split("\n");
  const at = lines.findIndex((line) => line.endsWith(` ${ref}`) && !line.startsWith("#"));
  if (at === -1) return packed;
  return lines.toSpliced(at, lines[at + 1]?.startsWith("^") ? 2 : 1).join("\n");
}
