import { closeSync, fsyncSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Copies an open database into a new file. It is made here, so that nobody else can read it even for a moment. */
export function copyInto(source: DatabaseSync, to: string): void {
  const file = openSync(to, "wx", 0o600);
  try {
    source.prepare("VACUUM INTO ?").run(to);
    const copy = new DatabaseSync(to, { readOnly: true });
    const { quick_check: verdict } = copy.prepare("PRAGMA quick_check(1)").get() as { readonly quick_check: string };
    copy.close();
    if (verdict !== "ok") throw new Error(`the copy is damaged: ${verdict}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
