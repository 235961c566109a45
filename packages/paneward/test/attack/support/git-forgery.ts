import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** Adds files to an index without a look at their names, as changed since a look at them long ago. */
export function forgeIndexEntries(path: string, names: readonly string[], id: string): void {
  const before = readFileSync(path);
  const count = before.readUInt32BE(8);
  const forged = names.toSorted().map((name) => entryOf(name, id));
  const header = Buffer.from(before.subarray(0, 12));
  header.writeUInt32BE(count + forged.length, 8);
  const body = Buffer.concat([header, ...forged, before.subarray(12, endOfEntries(before, count))]);
  writeFileSync(path, Buffer.concat([body, createHash("sha1").update(body).digest()]));
}

function entryOf(name: string, id: string): Buffer {
  const fixed = Buffer.alloc(62);
  fixed.writeUInt32BE(0o100644, 24);
  Buffer.from(id, "hex").copy(fixed, 40);
  fixed.writeUInt16BE(Buffer.byteLength(name), 60);
  const named = Buffer.concat([fixed, Buffer.from(name)]);
  return Buffer.concat([named, Buffer.alloc(8 - (named.length % 8))]);
}

/** Of an index of version 2, which git writes for plain repositories. */
function endOfEntries(index: Buffer, count: number): number {
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    const length = 62 + (index.readUInt16BE(at + 60) & 0xfff);
    at += length + (8 - (length % 8));
  }
  return at;
}
