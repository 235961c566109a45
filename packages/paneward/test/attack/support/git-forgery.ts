import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";

/** Writes an object that git itself would refuse to make; `at` gives it the place of another one. */
export function forgeObject(
  gitDir: string,
  type: "blob" | "tree" | "commit",
  content: Uint8Array,
  at?: string,
): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = at ?? createHash("sha1").update(bytes).digest("hex");
  const path = join(gitDir, "objects", id.slice(0, 2), id.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  // git makes its objects read-only.
  rmSync(path, { force: true });
  writeFileSync(path, deflateSync(bytes));
  return id;
}

export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

export function forgeTree(gitDir: string, entries: readonly TreeEntry[], at?: string): string {
  const parts = entries.map(({ mode, name, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
  );
  return forgeObject(gitDir, "tree", Buffer.concat(parts), at);
}

/** A tree with one file at a path, each part of which becomes a folder's name as it is. */
export function forgeTreeWith(gitDir: string, path: string, text: string, at?: string): string {
  const parts = path.split("/").toReversed();
  let entry = { mode: "100755", id: forgeObject(gitDir, "blob", Buffer.from(text)) };
  for (const [index, name] of parts.entries()) {
    const isTop = index === parts.length - 1;
    entry = { mode: "40000", id: forgeTree(gitDir, [{ ...entry, name }], isTop ? at : undefined) };
  }
  return entry.id;
}

export function forgeCommit(gitDir: string, tree: string, parent?: string): string {
  const lines = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  const who = ["author a <a@b> 1 +0000", "committer a <a@b> 1 +0000"];
  return forgeObject(gitDir, "commit", Buffer.from([...lines, ...who, "", "forged", ""].join("\n")));
}
