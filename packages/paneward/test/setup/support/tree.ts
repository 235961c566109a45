import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every file, folder and link below a folder: what it is, its mode, and its bytes. */
export function treeOf(
  folder: string,
  isMeant: (name: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: string) => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = join(path, name);
      if (path === "" && !isMeant(name)) continue;
      const stats = lstatSync(join(folder, inner));
      const mode = (stats.mode & 0o777).toString(8);
      if (stats.isSymbolicLink()) found[inner] = `link to ${readlinkSync(join(folder, inner))}`;
      else if (stats.isDirectory()) found[inner] = `folder ${mode}`;
      else found[inner] = `${mode} ${readFileSync(join(folder, inner), "latin1")}`;
      if (stats.isDirectory()) visit(inner);
    }
  };
  visit("");
  return found;
}
