import { closeSync, fsyncSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";
import type { CopyJob } from "./backups.ts";
import { openSqlite } from "./sqlite.ts";

// Runs on a thread of its own. The file is made here, so that nobody else can read it even for a moment.
const { from, to } = workerData as CopyJob;
const file = openSync(to, "wx", 0o600);
const source = openSqlite(from, 10_000, { readOnly: true });
source.prepare("VACUUM INTO ?").run(to);
source.close();
const copy = new DatabaseSync(to, { readOnly: true });
const { quick_check: verdict } = copy.prepare("PRAGMA quick_check(1)").get() as { readonly quick_check: string };
copy.close();
if (verdict !== "ok") throw new Error(`the copy is damaged: ${verdict}`);
fsyncSync(file);
closeSync(file);
