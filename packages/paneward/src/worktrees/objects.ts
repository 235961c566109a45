import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HeldFolder, withFolder } from "./held-folders.ts";

/** A repository, and a folder of the daemon's own. */
export interface ObjectPlaces {
  readonly guards: { readonly folder: string };
  readonly commonDir: string;
}

/**
 * Where git writes new objects: a folder of the daemon's own, which finds all others in the repository's. git would write
 * them wherever a link in the repository leads.
 */
export async function ownObjects(places: ObjectPlaces): Promise<string> {
  const { commonDir } = places;
  const folder = objectsFolder(places);
  await mkdir(join(folder, "info"), { recursive: true, mode: 0o700 });
  const quoted = join(commonDir, "objects").replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  await writeFile(join(folder, "info", "alternates"), `"${quoted}"\n`);
  return folder;
}

/** Carries new objects over into the repository; before that no ref may name them. */
export async function publishObjects(places: ObjectPlaces): Promise<void> {
  const own = objectsFolder(places);
  const folders = (await readdir(own)).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name));
  for (const name of folders) {
    const files = (await readdir(join(own, name))).filter((file) => !file.startsWith("tmp_"));
    if (files.length === 0) continue;
    const publish = async (into: HeldFolder) => {
      for (const file of files.toSorted(indexLast)) await carry(join(own, name, file), into, file);
    };
    await withFolder(places.commonDir, `objects/${name}`, publish, { make: true });
  }
}

function objectsFolder({ guards, commonDir }: ObjectPlaces): string {
  return join(guards.folder, `objects-${createHash("sha256").update(commonDir).digest("hex").slice(0, 24)}`);
}

/** A pack is complete once it has its index. */
function indexLast(one: string, other: string): number {
  return Number(one.endsWith(".idx")) - Number(other.endsWith(".idx"));
}

/** An object's name says what it contains, so one of the same name is the same. */
async function carry(from: string, into: HeldFolder, name: string): Promise<void> {
  const failed = await link(from, into.at(name)).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  // Another disk, or one without hard links.
  if (failed !== undefined && failed !== "EEXIST") {
    // By this name, which git takes for one of its own that are not whole, a copy that was interrupted is found again.
    const beside = `tmp_obj_paneward_${name}`;
    await unlink(into.at(beside)).catch(() => {});
    await copyFile(from, into.at(beside), constants.COPYFILE_EXCL);
    await rename(into.at(beside), into.at(name));
  }
  await unlink(from);
}
